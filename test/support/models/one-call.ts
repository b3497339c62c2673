/** The ids of a call, for tests that make one. */
export const ONE_CALL = { question: 'q1', call: 'c1' } as const;
