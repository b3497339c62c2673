import type { McpServer } from '@modelcontextprotocol/server';
import { jsonInText } from '../core/text/loose-json.ts';

/** The part of a schema that the library needs: it checks values, and says where they are wrong. */
interface Checked {
  readonly '~standard': {
    readonly validate: (value: unknown) => Promise<Result> | Result;
  };
}
type Path = readonly (PropertyKey | { readonly key: PropertyKey })[];

interface Issue {
  readonly path?: Path | undefined;
  readonly code?: string;
}

interface Result {
  readonly issues?: readonly Issue[] | undefined;
}

/** The issues of a value of another type than is wanted. */
const OF_TYPE: ReadonlySet<string | undefined> = new Set(['invalid_type', 'invalid_union']);

/** Lists within lists that come as text. */
const MOST_PASSES = 4;

/**
 * A server whose tools take lists, numbers and truth values that come as text: some clients write all arguments of a call
 * so. What a tool takes as text stays text.
 */
export function takesText(server: McpServer): McpServer {
  const register = server.registerTool.bind(server) as (name: string, config: object, call: unknown) => unknown;
  const lenient = (name: string, config: { inputSchema?: Checked }, call: unknown): unknown =>
    register(name, config.inputSchema ? { ...config, inputSchema: lenientInput(config.inputSchema) } : config, call);
  server.registerTool = lenient as McpServer['registerTool'];
  return server;
}

/** Returns the schema, which then also takes a text where the JSON in it is what is wanted. */
export function lenientInput<T extends Checked>(schema: T): T {
  const standard = schema['~standard'];
  const validate = async (value: unknown): Promise<Result> => {
    let result = await standard.validate(value);
    let given: unknown = value;
    for (let pass = 0; result.issues && pass < MOST_PASSES; pass++) {
      given = meant(given, result.issues);
      if (given === undefined) break;
      result = await standard.validate(given);
    }
    return result;
  };
  const lenient = Object.create(standard, { validate: { value: validate } }) as typeof standard;
  return new Proxy(schema, {
    get: (target, key) => (key === '~standard' ? lenient : (Reflect.get(target, key, target) as unknown)),
  });
}

/** A value with what its texts say in the places that are wrong; undefined if none of them says anything else. */
function meant(value: unknown, issues: readonly Issue[]): unknown {
  const copy: unknown = structuredClone(value);
  let isOther = false;
  for (const { path = [], code } of issues) {
    if (!OF_TYPE.has(code)) continue;
    const keys = path.map((part) => (typeof part === 'object' ? part.key : part));
    const parent = keys.slice(0, -1).reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), copy);
    const last = keys.at(-1);
    const said = isObject(parent) && last !== undefined && Object.hasOwn(parent, last) ? parent[last] : undefined;
    const read = typeof said === 'string' ? jsonInText(said) : undefined;
    if (read === undefined || !isObject(parent) || last === undefined) continue;
    parent[last] = read;
    isOther = true;
  }
  return isOther ? copy : undefined;
}

function isObject(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === 'object' && value !== null;
}
