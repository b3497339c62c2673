import { message } from './message.ts';

// The faults of a field of a file

export const missing = message('core.field-missing', 'the field "{field}" is missing');
export const wrongType = message('core.field-wrong-type', 'the field "{field}" is not of type {type}');
export const wrongValue = message('core.field-wrong', 'the field "{field}" is wrong: {why}');
export const wrongWholeType = message('core.value-wrong-type', 'it is not of type {type}');
export const wrongWhole = message('core.value-wrong', 'it is wrong: {why}');
