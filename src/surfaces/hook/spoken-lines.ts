type Fields = Readonly<Record<string, unknown>>

/** How to recognize the lines of a session file in which somebody speaks. */
interface SpokenLines {
  /** A cheap test: a line without it is not parsed. */
  readonly hint: RegExp
  readonly isSpoken: (record: Fields) => boolean
}

const harnessMarks = ['isMeta', 'isSidechain', 'isCompactSummary']
const codexEvents = ['item_completed', 'user_message', 'agent_message']
const codexItems = ['message', 'function_call', 'custom_tool_call']

/** Other harnesses have no lines to drop, or write one document. */
const harnesses: Readonly<Record<string, SpokenLines>> = {
  // More than nine tenths of the file are requests and settings.
  'claude-code': {
    hint: /"type"\s*:\s*"(?:user|assistant)"/,
    isSpoken: (record) =>
      ['user', 'assistant'].includes(String(record['type'])) &&
      !harnessMarks.some((mark) => record[mark] === true) &&
      !isToolResult(toFields(record['message'])['content']),
  },
  codex: {
    hint: /"type"\s*:\s*"(?:event_msg|response_item|item\.completed)"/,
    isSpoken: ({ type, payload }) => {
      const { type: kind, role } = toFields(payload)
      if (type === 'event_msg') return codexEvents.includes(String(kind))
      const isItem = type === 'response_item' && codexItems.includes(String(kind))
      return type === 'item.completed' || (isItem && role !== 'developer' && role !== 'system')
    },
  },
}

/** Whether a line may hold something said; true for a line that is no record. */
export function toLineFilter(harness: string): (line: string) => boolean {
  const lines = Object.hasOwn(harnesses, harness) ? harnesses[harness] : undefined
  if (!lines) return () => true
  return (line) => {
    if (!line.startsWith('{')) return line.trim() !== ''
    if (!lines.hint.test(line)) return false
    try {
      return lines.isSpoken(toFields(JSON.parse(line)))
    } catch {
      // A line that is still being written.
      return true
    }
  }
}

/** The output of tools is no turn, and may be megabytes. */
function isToolResult(content: unknown): boolean {
  if (!Array.isArray(content) || content.length === 0) return false
  return content.every((part) => toFields(part)['type'] === 'tool_result')
}

function toFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}
