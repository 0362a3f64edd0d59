import type { JsonRecord } from '../wire-rules/json.ts'
import { piecesOf } from './speak.ts'
import type { ModelTurn, TurnContext } from './types.ts'

/** The `Response` object of a turn. */
export function responseObject(turn: ModelTurn, context: TurnContext): JsonRecord {
  return {
    ...envelope(context, 'completed'),
    output: outputOf(turn, context),
    usage: usageOf(context),
  }
}

export const responseEvents = {
  completed: (turn: ModelTurn, context: TurnContext): readonly string[] =>
    numbered([
      ...opening(context),
      ...outputOf(turn, context).flatMap((item, index) => itemEvents(item, index)),
      { type: 'response.completed', response: responseObject(turn, context) },
    ]),

  /** The events of a response that fails at once. */
  failed: (context: TurnContext, code: string, message: string): readonly string[] =>
    numbered([
      ...opening(context),
      { type: 'error', code, message, param: 'input' },
      {
        type: 'response.failed',
        response: {
          ...envelope(context, 'failed'),
          output: [],
          error: { code, message },
          usage: null,
        },
      },
    ]),
}

function opening(context: TurnContext): JsonRecord[] {
  const response = { ...envelope(context, 'in_progress'), output: [], usage: null }
  return [
    { type: 'response.created', response },
    { type: 'response.in_progress', response },
  ]
}

function numbered(events: readonly JsonRecord[]): string[] {
  return events.map(
    (event, sequence_number) =>
      `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`,
  )
}

function envelope({ seed, model, body }: TurnContext, status: string): JsonRecord {
  return {
    id: `resp_${seed}`,
    object: 'response',
    created_at: 1_760_000_000,
    status,
    background: false,
    error: null,
    incomplete_details: null,
    instructions: body.instructions ?? null,
    max_output_tokens: null,
    model,
    parallel_tool_calls: true,
    previous_response_id: body.previous_response_id ?? null,
    store: body.store !== false,
    temperature: 1,
    tool_choice: 'auto',
    tools: body.tools ?? [],
    top_p: 1,
    truncation: body.truncation ?? 'disabled',
    metadata: {},
  }
}

function usageOf({ usage: { input, output } }: TurnContext) {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  }
}

function outputOf({ text, calls }: ModelTurn, { seed }: TurnContext): JsonRecord[] {
  return [
    {
      type: 'message',
      id: `msg_${seed}`,
      status: 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
    },
    ...calls.map(({ id, name, input }) => ({
      type: 'function_call',
      id: `fc_${seed}_${id}`,
      call_id: id,
      name,
      arguments: JSON.stringify(input),
      status: 'completed',
    })),
  ]
}

function itemEvents(item: JsonRecord, output_index: number): JsonRecord[] {
  const isMessage = item.type === 'message'
  const started = isMessage ? { content: [] } : { arguments: '' }
  return [
    {
      type: 'response.output_item.added',
      output_index,
      item: { ...item, ...started, status: 'in_progress' },
    },
    ...(isMessage ? textEvents(item, output_index) : argumentEvents(item, output_index)),
    { type: 'response.output_item.done', output_index, item },
  ]
}

function textEvents({ id, content }: JsonRecord, output_index: number): JsonRecord[] {
  const [part] = content as [{ text: string }]
  const place = { item_id: id, output_index, content_index: 0 }
  return [
    { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
    ...piecesOf(part.text).map((delta) => ({
      type: 'response.output_text.delta',
      ...place,
      delta,
      logprobs: [],
    })),
    { type: 'response.output_text.done', ...place, text: part.text, logprobs: [] },
    { type: 'response.content_part.done', ...place, part },
  ]
}

function argumentEvents(item: JsonRecord, output_index: number): JsonRecord[] {
  const place = { item_id: item.id, output_index }
  return [
    ...piecesOf(String(item.arguments)).map((delta) => ({
      type: 'response.function_call_arguments.delta',
      ...place,
      delta,
    })),
    {
      type: 'response.function_call_arguments.done',
      ...place,
      name: item.name,
      arguments: item.arguments,
    },
  ]
}
