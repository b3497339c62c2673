/** Words that say nothing about what a person is looking for, in questions and in code alike. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above all also am an and another any are aren as at be because been being below between both but
  by can cannot could couldn did didn do does doesn doing don during each either else ever every few for from further
  get gets getting give given gives go goes going got had has hasn have haven having he her here hers him his how however
  i if in into is isn it its itself just let lets like made make makes making many may me might more most much must my
  neither no nor not of off on once one only onto or other others our out over own per please put rather same shall she
  should shouldn since so some such take takes than that the their them then there these they thing things this those
  through thus to too under until up upon us use used uses using very via was wasn way ways we well were what whatever
  when whenever where wherever whether which while who whom whose why will with within without won work works would you
  your yours happen happens happened mean means explain describe tell show shows me look looks come comes exactly
  actually really project codebase s t ll re ve d m const var function return import export null undefined true false def elif endif`.split(
    /\s+/,
  ),
);
