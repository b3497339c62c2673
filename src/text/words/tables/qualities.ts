/** The qualities of things, a group of words with one meaning a line. */
export const QUALITIES = `
  ascending asc
  asynchronous async
  automatic auto
  broken corrupt malformed invalid
  concurrent parallel simultaneous
  current cur now
  deferred lazy later
  denied forbidden
  deprecated obsolete legacy
  descending desc
  empty blank
  exclusive only
  greater larger more
  hidden private
  idle inactive
  immediate now instantly
  infinite endless forever
  large big huge
  leak leaked
  left remaining rest
  maximum max
  minimum min least
  missing absent
  missing none null empty nil
  multiple many several
  negative minus
  nested inner
  once single
  original orig
  pending waiting
  previous prev
  private internal
  random rand
  raw verbatim
  recent latest last
  recursion recursive
  regular normal
  secure safe
  sensitive secret
  sequential serial
  shared common
  standard std
  synchronous sync
  temporary temp tmp
  uncaught unhandled
  unique distinct
  unknown unrecognized unsupported
  valid legal
`;
