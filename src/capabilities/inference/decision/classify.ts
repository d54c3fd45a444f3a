import type { InferenceConfig } from '../config/config.ts'
import type { Level } from '../config/entries.ts'
import { findWorkload, type RouteRequest } from './request.ts'

export interface Classification {
  readonly taskClass: string
  readonly reasoning: Level
  readonly source: 'request' | 'workload' | 'classifier' | 'default'
  readonly signals: readonly string[]
}

const codeLike =
  /```|\b(refactor|stack ?trace|type ?script|java ?script|python|rust|golang|c\+\+|regex|sql|unit tests?|compil(e|er|es|ing)|segfault|pull request|git (diff|rebase|commit)|npm|null pointer|debug)\b|\b(function|class|def|const|import|return)\b.*[{(;:]/i

const derivedClasses: Readonly<Record<string, string>> = {
  memory_extraction: 'memory_extraction',
  session_synthesis: 'session_synthesis',
}

/** Chooses the task class: named, by workload, by the prompt, or the default of the operation. */
export function classify(
  config: Pick<InferenceConfig, 'taskClasses' | 'workloads'>,
  request: RouteRequest,
): Classification {
  const { taskClasses } = config
  const named = (taskClass: string, source: Classification['source'], signals: string[] = []) => ({
    taskClass,
    reasoning: taskClasses.get(taskClass)?.reasoning ?? 'medium',
    source,
    signals,
  })
  const { operation, taskClass, promptPreview = '', privacy } = request
  if (taskClass !== undefined && taskClasses.has(taskClass)) return named(taskClass, 'request')
  const byWorkload = findWorkload(config, operation)?.taskClass
  if (byWorkload !== undefined && taskClasses.has(byWorkload)) return named(byWorkload, 'workload')
  const hit = findKeyword(config, promptPreview)
  if (hit) return named(hit.taskClass, 'classifier', [`keyword:${hit.keyword}`])
  if (operation === 'code_reasoning' || codeLike.test(promptPreview)) {
    const signals = ['prompt=code-like']
    return { taskClass: 'hard_coding', reasoning: 'high', source: 'classifier', signals }
  }
  if (privacy === 'local_only') return named('local_sensitive', 'default')
  return named(derivedClasses[operation] ?? 'interactive', 'default')
}

function findKeyword({ taskClasses }: Pick<InferenceConfig, 'taskClasses'>, prompt: string) {
  const text = prompt.toLowerCase()
  for (const [taskClass, { keywords }] of taskClasses) {
    const keyword = keywords.find((keyword) => containsWord(text, keyword.toLowerCase()))
    if (keyword !== undefined) return { taskClass, keyword }
  }
  return undefined
}

const wordCharacter = /[\p{L}\p{N}_]/u

/** True where the keyword begins and ends with a word, so that `art` is not in `start`. */
function containsWord(text: string, keyword: string): boolean {
  for (let at = text.indexOf(keyword); at >= 0; at = text.indexOf(keyword, at + 1)) {
    const [before = '', after = ''] = [text[at - 1], text[at + keyword.length]]
    const joinsBefore = wordCharacter.test(before) && wordCharacter.test(keyword.charAt(0))
    const joinsAfter = wordCharacter.test(after) && wordCharacter.test(keyword.at(-1) ?? '')
    if (!joinsBefore && !joinsAfter) return true
  }
  return false
}
