package dev.idgen.store.zookeeper;

import java.util.List;

/**
 * The paths of all nodes, below one.
 *
 * <pre>
 * identity                          made with the first write
 * namespace/{namespace}             one row
 * namespace/{namespace}/{id}        one row; the id in seven digits
 * namespace/{namespace}/{id}/alive  lasts as long as the holder's session: for people
 * claims/{namespace}                rewritten by every claim that wins: one after the other
 * clock/{random}                    of one session: its last writing tells the time
 * </pre>
 */
record Nodes(String path) {

  /** What must be there before anything else, parents first. */
  List<String> parents() {
    int slash = path.indexOf('/', 1);
    List<String> parents = new java.util.ArrayList<>();
    for (; slash > 0; slash = path.indexOf('/', slash + 1)) {
      parents.add(path.substring(0, slash));
    }
    parents.addAll(List.of(path, path + "/namespace", path + "/claims", path + "/clock"));
    return parents;
  }

  String identity() {
    return path + "/identity";
  }

  String clock(String session) {
    return path + "/clock/" + session;
  }

  String namespace(String namespace) {
    return path + "/namespace/" + namespace;
  }

  String claims(String namespace) {
    return path + "/claims/" + namespace;
  }

  String worker(String namespace, int workerId) {
    String digits = Integer.toString(workerId);
    return namespace(namespace) + "/" + "0".repeat(7 - digits.length()) + digits;
  }

  String alive(String namespace, int workerId) {
    return worker(namespace, workerId) + "/alive";
  }
}
