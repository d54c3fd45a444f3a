import { z } from 'zod'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { Reply } from '../../kernel/http/route.ts'
import { neutralize } from '../../kernel/redaction/neutralize.ts'
import { listInstalled } from './installed.ts'
import type { SkillsNeeds } from './needs.ts'

type SearchNeeds = Pick<SkillsNeeds, 'outbound' | 'config' | 'log'> & {
  /** The folder of installed skills. */
  readonly skillsFolder: string
}

interface FoundSkill {
  readonly name: string
  readonly description: string
  readonly installed: boolean
  readonly fullName?: string
  readonly installs?: number
  readonly provider?: string
}

const timeoutMs = 1_500
const maxBytes = 5_242_880
const maxFound = 50
const maxTextLength = 500

const text = z.string().transform((value) => neutralize(value).slice(0, maxTextLength).trim())
const foundSkill = z.object({
  name: text.refine((name) => name !== ''),
  description: text.catch(''),
  fullName: text.optional().catch(undefined),
  installs: z.number().optional().catch(undefined),
  provider: text.optional().catch(undefined),
})
const registryReply = z.object({
  skills: z.array(z.unknown()).optional(),
  results: z.array(z.unknown()).optional(),
})

/** Skills of the registry, then installed ones that match; each name once. */
export async function searchSkills(needs: SearchNeeds, query: string | undefined) {
  if (query === undefined) {
    const body = { results: [], error: 'q is required', code: 'invalid_request' }
    return new Reply(400, body)
  }
  const installed = await listInstalled(needs.skillsFolder)
  const names = new Set(installed.map(({ name }) => name))
  const registry = await searchRegistry(needs, query)
  const lowerQuery = query.toLowerCase()
  const local = installed
    .filter(({ name, description }) => `${name}\n${description}`.toLowerCase().includes(lowerQuery))
    .map(({ name, description }) => ({ name, description }))
  const skillsByName = new Map<string, FoundSkill>()
  for (const skill of [...registry, ...local])
    if (!skillsByName.has(skill.name))
      skillsByName.set(skill.name, { ...skill, installed: names.has(skill.name) })
  return { results: [...skillsByName.values()] }
}

/** Empty if the registry is disabled, does not answer, or answers anything else. */
async function searchRegistry({ outbound, config, log }: SearchNeeds, query: string) {
  const { registryUrl } = config()
  if (registryUrl === '') return []
  const url = new URL(registryUrl)
  url.searchParams.set('q', query)
  try {
    const { status, body } = await outbound.fetch(url.href, {
      timeoutMs,
      maxBytes,
      accept: ['application/json'],
    })
    if (status !== 200) return []
    const { skills, results = [] } = registryReply.parse(JSON.parse(new TextDecoder().decode(body)))
    return (skills ?? results).slice(0, maxFound).flatMap(toFound)
  } catch (error) {
    const isExpected = [Refusal, SyntaxError, z.ZodError].some((type) => error instanceof type)
    if (!isExpected) log.warn({ err: error }, 'search of the skill registry failed')
    return []
  }
}

function toFound(entry: unknown) {
  const { data } = foundSkill.safeParse(entry)
  if (!data) return []
  const { name, description, fullName, installs, provider } = data
  return [
    {
      name,
      description,
      ...(fullName !== undefined && { fullName }),
      ...(installs !== undefined && { installs }),
      ...(provider !== undefined && { provider }),
    },
  ]
}
