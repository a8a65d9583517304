package dev.idgen.server.service;

/**
 * What all transports together may hold for their callers. A value.
 *
 * @param maxWaiting calls that wait for their ids
 * @param maxUnreadBytes bytes of requests that are not whole
 */
public record ServiceLimits(int maxWaiting, long maxUnreadBytes) {}
