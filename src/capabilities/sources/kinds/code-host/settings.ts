import { z } from 'zod'
import { toCleanText } from '../../../../kernel/redaction/clean-text.ts'
import { invalid } from '../../refusals.ts'
import { type SourceDraft, type SourceEntry, toSourceId } from '../../source.ts'
import { assertTokenRef } from '../remote-api.ts'

const resourceTypes = ['issues', 'pulls', 'discussions', 'docs'] as const
export const defaultDocPaths = ['README.md', 'CHANGELOG.md']

const repo = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9-]{0,38}\/(?:[A-Za-z0-9._-]{1,100}|\*)$/,
    'repos must be owner/name or owner/*',
  )

/** The settings of a source, as a request and `sources.json` hold them. */
export const codeHostFields = {
  repos: z
    .array(repo)
    .min(1, 'repos is required')
    .max(100, 'repos must have at most 100 entries')
    .describe('Repositories: `owner/name`, or `owner/*` for all of an owner.'),
  tokenRef: z
    .string('tokenRef must be text')
    .max(256)
    .optional()
    .describe('Name of the secret that holds the token.'),
  resourceTypes: z
    .array(z.enum(resourceTypes))
    .min(1)
    .optional()
    .describe('What is read. Default: all with a token; without one, no discussions.'),
  state: z
    .enum(['open', 'closed', 'all'])
    .optional()
    .describe('State of issues and pull requests; default `all`.'),
  includeComments: z.boolean().optional().describe('Reads comments too; default true.'),
  labels: z
    .array(z.string().min(1).max(100))
    .max(50)
    .optional()
    .describe('Reads issues and pull requests with all these labels only.'),
  docPaths: z
    .array(z.string().min(1).max(500))
    .max(50)
    .optional()
    .describe(
      'Markdown files, `dir/*.md` or `dir/**/*.md`; default `README.md` and `CHANGELOG.md`.',
    ),
  maxItemsPerRepo: z
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .describe('Maximum items of a repository, comments included; default 500.'),
} as const

const storedSettings = z.looseObject({
  ...codeHostFields,
  state: codeHostFields.state.default('all'),
  includeComments: z.boolean().default(true),
  labels: z.array(z.string()).default([]),
  docPaths: z.array(z.string()).default(defaultDocPaths),
  maxItemsPerRepo: z.number().default(500),
})
export type CodeHostSettings = ReturnType<typeof readSettings>

/** The settings of a run, with their defaults. */
export function readSettings({ providerSettings }: Pick<SourceEntry, 'providerSettings'>) {
  const settings = storedSettings.parse(providerSettings)
  return { ...settings, resourceTypes: new Set(settings.resourceTypes ?? defaultTypes(settings)) }
}

function defaultTypes({ tokenRef }: { readonly tokenRef?: string | undefined }) {
  return resourceTypes.filter((type) => type !== 'discussions' || tokenRef !== undefined)
}

export interface CodeHostRequest extends z.output<z.ZodObject<typeof codeHostFields>> {
  readonly agentId: string
  readonly name?: string | undefined
}

/** The root of the source of these repositories. */
export function toCodeHostRoot(repos: readonly string[]): string {
  return `code-host://repos/${sortRepos(repos).join(',')}`
}

/** The source of these repositories. Omitted settings of an existing source stay. */
export function draftCodeHost(
  { agentId, name, repos, ...request }: CodeHostRequest,
  existing: SourceEntry | undefined,
): SourceDraft {
  const sorted = sortRepos(repos)
  const given = Object.entries(request).filter(([, value]) => value !== undefined)
  const settings = {
    ...existing?.providerSettings,
    ...Object.fromEntries(given),
    agentId,
    repos: sorted,
  }
  assertSettings(storedSettings.parse(settings))
  return {
    id: toSourceId('code-host', ...sorted),
    kind: 'code-host',
    name: toCleanText(name ?? existing?.name ?? sorted.join(', ')).slice(0, 200),
    root: toCodeHostRoot(sorted),
    excludeGlobs: [],
    providerSettings: settings,
  }
}

const sortRepos = (repos: readonly string[]) =>
  [...new Set(repos.map((one) => one.toLowerCase()))].toSorted()

function assertSettings(settings: z.output<typeof storedSettings>): void {
  const { tokenRef, resourceTypes: types, docPaths, labels } = settings
  if (tokenRef !== undefined) assertTokenRef(tokenRef)
  if (tokenRef === undefined && types?.includes('discussions'))
    throw invalid('discussions need a token. Send tokenRef.')
  const unusable = docPaths.find((path) => !isDocPath(path))
  if (unusable !== undefined)
    throw invalid('docPaths must be paths of Markdown files, dir/*.md or dir/**/*.md.')
  if ([...docPaths, ...labels].some((text) => toCleanText(text) !== text))
    throw invalid('docPaths and labels must not hold credentials.')
}

/** A path, `dir/*.md` or `dir/**\/*.md`. */
function isDocPath(path: string): boolean {
  const segments = path.split('/')
  const file = segments.at(-1) ?? ''
  const folders = segments.slice(0, -1)
  const isGlobFree = (text: string) => /^[^*?#\\[\]{}()!]+$/.test(text)
  const isFile = /\.(?:md|markdown)$/i.test(file) && (file === '*.md' || isGlobFree(file))
  return (
    isFile &&
    folders.every(
      (folder, at) =>
        (isGlobFree(folder) && folder !== '.' && folder !== '..') ||
        (folder === '**' && at === folders.length - 1 && file === '*.md'),
    )
  )
}
