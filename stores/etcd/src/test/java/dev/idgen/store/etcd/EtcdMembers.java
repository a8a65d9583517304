package dev.idgen.store.etcd;

import dev.idgen.check.servers.EtcdServer;
import java.util.List;

/**
 * The cluster, of one member or more, that the tests of a class share; each has a place of its own.
 */
final class EtcdMembers implements AutoCloseable {
  private final List<EtcdServer> members;

  private EtcdMembers(List<EtcdServer> members) {
    this.members = members;
  }

  static EtcdMembers start(int size) {
    return new EtcdMembers(EtcdServer.startCluster(size));
  }

  /** The address of an empty place. */
  String freshUrl() {
    return EtcdServer.freshUrl(members);
  }

  /** Forgets all that is in a place. */
  void wipe(String url) {
    members.get(0).deleteAll(Session.parse(url).path() + "/");
  }

  /** Gives a key of a place a value. */
  void put(String url, String name, String value) {
    members.get(0).put(Session.parse(url).path() + "/" + name, value);
  }

  /** Ends the one that leads as a power cut would, and starts it again. */
  void restartLeader() {
    EtcdServer leader = members.stream().filter(EtcdServer::leads).findFirst().orElseThrow();
    leader.kill();
    leader.startAgain();
  }

  @Override
  public void close() {
    members.forEach(EtcdServer::close);
  }
}
