import type { Caller } from '../../../kernel/auth/caller.ts'
import { assertAllProjects } from '../../../kernel/auth/permission.ts'
import { Stream } from '../../../kernel/http/stream.ts'
import { findOwn, type ManageNeeds } from '../manage.ts'
import type { SourcesOptions } from '../needs.ts'
import type { SourceEntry } from '../source.ts'
import { listArtifacts } from '../store/artifacts.ts'
import type { ArtifactRow } from '../store/rows.ts'

const pageSize = 50

interface ExportNeeds extends ManageNeeds, Pick<SourcesOptions, 'background' | 'host'> {}

interface SnapshotRequest {
  readonly sourceId: string
  readonly includeLocalChat: boolean
}

/** Streams the artifacts of a source, without its chunks. Refuses `source_not_found`. */
export async function exportSnapshot(
  needs: ExportNeeds,
  caller: Caller,
  { sourceId, includeLocalChat }: SnapshotRequest,
): Promise<Stream> {
  assertAllProjects({ caller })
  const source = await findOwn(needs, caller, sourceId)
  const chunks = toText(needs, source, { agentId: caller.agentId, includeLocalChat })
  return new Stream({ contentType: 'application/json; charset=utf-8', chunks })
}

async function* toText(
  { background, host }: ExportNeeds,
  source: SourceEntry,
  { agentId, includeLocalChat }: { readonly agentId: string; readonly includeLocalChat: boolean },
): AsyncGenerator<string> {
  const { id, kind, name, root } = source
  const about = {
    version: 1,
    exportedAt: host.now().toISOString(),
    source: { id, kind, name, root },
  }
  yield `${JSON.stringify({ ...about, agentId }).slice(0, -1)},"artifacts":[`
  let localChatArtifacts = 0
  let separator = ''
  for (let after = ''; ; ) {
    // Each page is a query of its own, so that a slow reader holds no transaction.
    const page = await listArtifacts(background, id, { agentId, after, limit: pageSize })
    for (const artifact of page) {
      if (!includeLocalChat && isLocalChat(artifact)) localChatArtifacts += 1
      else {
        yield `${separator}${JSON.stringify(toWireArtifact(artifact))}`
        separator = ',\n'
      }
    }
    const last = page.at(-1)
    if (!last) break
    after = last.sourcePath
  }
  yield `],"skipped":${JSON.stringify({ localChatArtifacts })}}\n`
}

/** Direct messages that the cache of a desktop client holds. */
export function isLocalChat({
  sourceKind,
  sourcePath,
}: Pick<ArtifactRow, 'sourceKind' | 'sourcePath'>): boolean {
  return sourceKind.startsWith('source_chat_') && /(^|\/)@me(\/|$)/.test(sourcePath)
}

function toWireArtifact(artifact: ArtifactRow) {
  const {
    agentId: _agent,
    generation: _life,
    isDeleted: _state,
    deletedAt: _at,
    ...fields
  } = artifact
  const { position: _position, ...wire } = fields as typeof fields & { position?: number }
  return wire
}
