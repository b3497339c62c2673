/** The files of plans that a person may edit before their search begins. */
export const PLAN_FILES = ['decomposition.json', 'plan.yaml'];
