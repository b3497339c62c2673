import * as z from 'zod';
import type { OptionFace } from './kind-face.ts';

const NAME = /^[a-z][a-z0-9-]{0,59}$/;

/** The schema of a kind's options in search.json, made from their faces; unknown options pass unchanged. */
export function optionsSchema(options: readonly OptionFace[]): z.ZodObject {
  return z.looseObject(shapeOf(options.filter(({ field }) => field === undefined)));
}

function shapeOf(options: readonly OptionFace[]): Record<string, z.ZodType> {
  return Object.fromEntries(options.map((option) => [option.name, valueSchema(option).optional()]));
}

/** The schema of one option's value. */
export function valueSchema({ type, least, most, choices = [] }: OptionFace): z.ZodType {
  if (type === 'boolean') return z.boolean();
  if (type === 'choice') return z.enum(choices as [string, ...string[]]);
  if (type === 'name') return z.string().regex(NAME);
  if (type === 'text') return most === undefined ? z.string().min(1) : z.string().min(1).max(most);
  let number = type === 'integer' ? z.number().int() : z.number();
  if (least !== undefined) number = number.min(least);
  if (most !== undefined) number = number.max(most);
  return number;
}
