import type { Host } from '../../kernel/host/host.ts'
import type { Git } from './git.ts'

const prefix = 'refs/reverie/saved/'
const maxSaved = 20

/** Names a snapshot, so that its text can be restored. The newest ones remain. */
export async function savePoint(
  git: Git,
  host: Pick<Host, 'now'>,
  commit: string,
): Promise<string> {
  const time = host.now().toISOString().replaceAll(/[:.]/g, '-')
  const ref = `${prefix}${time}-${commit.slice(0, 8)}`
  await git.read(['update-ref', ref, commit])
  const list = await git.read(['for-each-ref', '--sort=-refname', '--format=%(refname)', prefix])
  const old = list
    .split('\n')
    .filter((name) => name !== '')
    .slice(maxSaved)
  for (const name of old) await git.read(['update-ref', '-d', name])
  return ref
}
