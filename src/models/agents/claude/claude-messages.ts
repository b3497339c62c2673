import * as z from 'zod';

// The SDK's messages that are read. Other types and fields are ignored: newer versions add some.

const tokens = z.number().int().nonnegative();

/** Tokens as the Messages API counts them: those read from or written to the cache are not in `input_tokens`. */
export const WireUsage = z.looseObject({
  input_tokens: tokens.nullish(),
  cache_read_input_tokens: tokens.nullish(),
  cache_creation_input_tokens: tokens.nullish(),
  output_tokens: tokens.nullish(),
});
export type WireUsage = z.infer<typeof WireUsage>;

const StreamEvent = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('message_start'), message: z.looseObject({ usage: WireUsage }) }),
  z.looseObject({
    type: z.literal('message_delta'),
    delta: z.looseObject({ stop_reason: z.string().nullish() }),
    usage: WireUsage,
  }),
  z.looseObject({
    type: z.literal('content_block_delta'),
    delta: z.looseObject({ type: z.string(), text: z.string().optional() }),
  }),
]);

/** Ids of sessions become the names of files. */
export const SessionId = z.uuid();

const Partial = z.looseObject({ type: z.literal('stream_event'), event: StreamEvent });

/** An answer of the model, or its replacement if the server failed. */
const Said = z.looseObject({ type: z.literal('assistant'), error: z.string().optional() });

const Result = z.looseObject({
  type: z.literal('result'),
  subtype: z.string(),
  is_error: z.boolean().optional(),
  api_error_status: z.number().nullish(),
  session_id: SessionId,
  result: z.string().optional(),
  stop_reason: z.string().nullish(),
  total_cost_usd: z.number().nonnegative(),
  errors: z.array(z.string()).optional(),
});
export type Result = z.infer<typeof Result>;

/** One message of the SDK that is of interest. */
export const Message = z.union([Partial, Said, Result]);
