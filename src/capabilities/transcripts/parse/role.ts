import type { Role } from '../transcript.ts'

const users = ['user', 'human', 'client']
const assistants = ['assistant', 'agent', 'model', 'ai', 'gemini']
/** No part of what was said. */
const silent = ['system', 'developer', 'tool', 'toolresult', 'function', 'ipython', 'environment']

/** Undefined for who takes no part in the conversation. */
export function readRole(written: string): Role | undefined {
  const word = written.toLowerCase().replaceAll(/[^a-z]/g, '')
  if (users.includes(word)) return 'user'
  if (assistants.includes(word)) return 'assistant'
  return silent.includes(word) || word === '' ? undefined : 'unknown'
}
