/** What `robots.txt` of an origin allows. */
export interface Robots {
  isAllowed(path: string): boolean
  /** Seconds between two requests, at most 10. */
  readonly delaySeconds: number
}

interface Rule {
  readonly isAllowed: boolean
  readonly pattern: string
}

interface Group {
  readonly agents: readonly string[]
  readonly rules: readonly Rule[]
  readonly delaySeconds: number
}

const ownToken = 'svc'
const maxLines = 5_000
const maxPatternLength = 1_000
const maxDelaySeconds = 10

export const allowAll: Robots = { isAllowed: () => true, delaySeconds: 0 }

/** Reads `robots.txt` as RFC 9309 defines it: the longest pattern decides, and `Allow` wins a tie. */
export function parseRobots(text: string): Robots {
  const groups = readGroups(text)
  const own = groups.filter(({ agents }) => agents.includes(ownToken))
  const used = own.length > 0 ? own : groups.filter(({ agents }) => agents.includes('*'))
  const rules = used
    .flatMap((group) => group.rules)
    .toSorted(
      (a, b) => b.pattern.length - a.pattern.length || Number(b.isAllowed) - Number(a.isAllowed),
    )
  return {
    isAllowed: (path) => rules.find(({ pattern }) => matches(pattern, path))?.isAllowed ?? true,
    delaySeconds: Math.max(0, ...used.map((group) => group.delaySeconds)),
  }
}

interface OpenGroup {
  readonly agents: string[]
  readonly rules: Rule[]
  delaySeconds: number
}

/** Consecutive `User-agent` lines begin one group. */
function readGroups(text: string): readonly Group[] {
  const groups: OpenGroup[] = []
  let isInAgents = false
  for (const line of text.split(/\r?\n/, maxLines)) {
    const [, name = '', value = ''] = /^\s*([\w-]+)\s*:\s*([^#]*)/.exec(line) ?? []
    const key = name.toLowerCase()
    if (key === '') continue
    if (key === 'user-agent' && !isInAgents) groups.push({ agents: [], rules: [], delaySeconds: 0 })
    isInAgents = key === 'user-agent'
    const group = groups.at(-1)
    if (group) addLine(group, key, value.trim())
  }
  return groups
}

function addLine(group: OpenGroup, key: string, value: string): void {
  if (key === 'user-agent') group.agents.push(value.toLowerCase())
  const isRule = key === 'allow' || key === 'disallow'
  if (isRule && value !== '' && value.length <= maxPatternLength)
    group.rules.push({ isAllowed: key === 'allow', pattern: value })
  const seconds = Number(value)
  if (key === 'crawl-delay' && seconds > 0) group.delaySeconds = Math.min(maxDelaySeconds, seconds)
}

/** `*` stands for any text, and `$` at the end for the end of the path. Linear in the path. */
function matches(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$')
  const [first = '', ...rest] = (isWhole ? pattern.slice(0, -1) : pattern).split('*')
  if (!path.startsWith(first)) return false
  let at = first.length
  for (const [index, part] of rest.entries()) {
    const isLast = index === rest.length - 1
    if (isLast && isWhole) return path.length - part.length >= at && path.endsWith(part)
    const found = path.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return !isWhole || at === path.length
}
