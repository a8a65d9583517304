package dev.idgen.store.zookeeper;

import java.util.ArrayList;
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

  /** What is above the path, parents first: for others too. */
  List<String> above() {
    List<String> above = new ArrayList<>();
    for (int slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
      above.add(path.substring(0, slash));
    }
    return above;
  }

  /** What must be there before anything else, parents first. */
  List<String> parents() {
    return List.of(path, path + "/namespace", path + "/claims", path + "/clock");
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
