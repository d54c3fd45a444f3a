import {
  type Conversation,
  type Fields,
  type Message,
  toConversation,
  toFields,
  toList,
  toRole,
  toTimestamp,
} from './conversation.ts'

/**
 * One element of `conversations.json` of a ChatGPT export: a tree of messages. The branch from
 * `current_node` to the root is the conversation that the user saw last.
 */
export function readChatgpt(element: unknown): Conversation | undefined {
  const fields = toFields(element) ?? {}
  const nodes = toFields(fields['mapping']) ?? {}
  const branch = listBranch(nodes, String(fields['current_node']))
  const messages = branch.flatMap(readNode)
  const all = Object.values(nodes).flatMap((node) => readNode(toFields(node) ?? {}))
  return toConversation(
    fields['conversation_id'] ?? fields['id'],
    toTimestamp(fields['create_time']),
    messages,
    { omitted: all.length - messages.length },
  )
}

/** From the root to the leaf. A node that repeats would never end. */
function listBranch(nodes: Fields, leaf: string): readonly Fields[] {
  const branch: Fields[] = []
  const visitedIds = new Set<string>()
  for (let id = leaf; !visitedIds.has(id); ) {
    visitedIds.add(id)
    const node = toFields(nodes[id])
    if (!node) break
    branch.push(node)
    id = String(node['parent'])
  }
  return branch.reverse()
}

function readNode(node: Fields): readonly Message[] {
  const message = toFields(node['message']) ?? {}
  const { author, content, metadata } = message
  if (toFields(metadata)?.['is_visually_hidden_from_conversation'] === true) return []
  const { parts, text } = toFields(content) ?? {}
  // Parts that are no text are images and files.
  const words = [...toList(parts), text].filter((part) => typeof part === 'string').join('\n')
  return words.trim() === '' ? [] : [{ role: toRole(toFields(author)?.['role']), content: words }]
}
