import { useEffect, useState } from 'react'
import { ReverieError } from '../../queries/api.ts'
import { useChange } from '../../queries/read.ts'
import { type Edits, type SettingsChange, toChanges } from '../../queries/settings.ts'

const delayMs = 400
const none: ReadonlyMap<string, string> = new Map()

/** What is wrong with the edited values, from a dry run shortly after the last key press. */
export function useIssues(edits: Edits, hash: string): ReadonlyMap<string, string> {
  const { run } = useChange<SettingsChange>('POST /api/settings')
  const [issues, setIssues] = useState(none)
  useEffect(() => {
    const changes = toChanges(edits)
    let isCurrent = true
    const check = async () => {
      const found = changes.length === 0 ? none : await readIssues(run, { changes, hash })
      if (isCurrent) setIssues(found)
    }
    const timer = setTimeout(() => void check(), delayMs)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [edits, hash, run])
  return issues
}

type Run = (input: { readonly body: object }) => Promise<SettingsChange>

async function readIssues(run: Run, body: object): Promise<ReadonlyMap<string, string>> {
  const reply = await run({ body: { ...body, dryRun: true } }).catch(readRefusal)
  return new Map(reply.issues.map(({ key, message }) => [key, message]))
}

/** A refusal lists the issues too. Any other fault is shown when the changes are reviewed. */
function readRefusal(error: unknown): Pick<SettingsChange, 'issues'> {
  const details = error instanceof ReverieError ? Object(error.details) : {}
  return { issues: Array.isArray(details.issues) ? details.issues : [] }
}
