import picomatch from 'picomatch'
import { z } from 'zod'
import { RemoteError } from '../remote-api.ts'
import { type RepoRun, readItem, saveItem, takeItem, toRepoPath } from './repo-run.ts'
import { defaultDocPaths } from './settings.ts'

const tree = z.object({
  truncated: z.boolean().default(false),
  tree: z.array(
    z.object({
      path: z.string(),
      type: z.string(),
      sha: z.string(),
      size: z.number().optional(),
    }),
  ),
})
type Entry = z.output<typeof tree>['tree'][number]

const maxDocBytes = 1_048_576

/** Markdown files of the default branch. A file whose hash is known is not read again. */
export async function readDocs(run: RepoRun): Promise<void> {
  const { api, repo, settings } = run
  // An empty repository replies 409, and one without a branch 404.
  const reply = await api.call(`/repos/${repo}/git/trees/HEAD?recursive=1`, {
    accepted: [404, 409],
  })
  if (reply.status >= 400) return
  const { tree: entries, truncated } = reply.parse(tree)
  const matches = picomatch([...settings.docPaths], { nocase: false, dot: false })
  const docs = entries.filter(({ type, path }) => type === 'blob' && matches(path))
  for (const doc of docs) await readDoc(run, doc)
  if (truncated) run.isComplete = false
  await reportMissing(run, new Set(docs.map(({ path }) => path)))
}

async function readDoc(run: RepoRun, { path: file, sha, size = 0 }: Entry): Promise<void> {
  const { api, context, repo } = run
  const path = toDocPath(repo, file)
  if (!takeItem(run, path)) return
  if (await context.isCurrent(path, sha)) return context.retain(path)
  await readItem(run, path, async () => {
    if (size > maxDocBytes) throw new RemoteError(`${file} has more than 1 MiB.`, 413)
    const name = file.split('/').map(encodeURIComponent).join('/')
    const accept = 'application/vnd.github.raw+json'
    const reply = await api.call(`/repos/${repo}/contents/${name}`, { headers: { accept } })
    await saveItem(run, {
      path,
      parentPath: toRepoPath(repo),
      type: 'doc',
      title: `${file} (${repo})`,
      content: reply.text(),
      externalId: sha,
      revision: sha,
    })
  })
}

const toDocPath = (repo: string, file: string) => `${toRepoPath(repo)}/docs/${file}`

/** A file that the user named does not exist; the default ones may be absent. */
async function reportMissing(run: RepoRun, present: ReadonlySet<string>): Promise<void> {
  const named = run.settings.docPaths.filter(
    (path) => !path.includes('*') && !defaultDocPaths.includes(path),
  )
  for (const file of named.filter((path) => !present.has(path)))
    await readItem(run, toDocPath(run.repo, file), async () => {
      throw new RemoteError(`${run.repo} has no file ${file}.`, 404)
    })
}
