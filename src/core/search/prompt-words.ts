/**
 * The version of the words in which models are asked. It changes with any prompt, system text or correction: a recording of
 * other words holds no answer to what is asked now. Version 0.1 of the program used 1.
 */
export const PROMPT_WORDS = 2;
