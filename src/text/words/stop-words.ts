/**
 * Words of English questions that say nothing about what a person is looking for. Words that code is made of are not
 * among them, however common (`get`, `return`, `null`): how rare they are in a folder tells their weight.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above all also am an and another any are aren as at be because been being below between both but by can
  cannot could couldn did didn do does doesn doing don during each either else ever every few for from further had has
  hasn have haven having he her here hers him his how however i if in into is isn it its itself just let lets like many
  may me might more most much must my neither no nor not of on one onto or other others our own per please rather same shall
  she should shouldn since so some such than that the their them then there these they thing things this those through
  thus to too under until up upon us very via vs was wasn way ways we well were what whatever when whenever where wherever
  whether which while who whom whose why will with within without won would you your yours happen happens happened mean
  means exactly actually really s t ll re ve d m`.split(/\s+/),
);
