import { createClient } from '../../client/client.ts'
import { ReverieError } from '../../client/public/reverie-error.ts'
import { type DaemonFile, findDaemonFile, isAlive } from './daemon-file.ts'

/** One that lives answers these at once; another service may keep silent. */
export const answerTimeoutMs = 2000

export const restartCommand = 'reverie restart'

/** The daemon of a workspace, if it runs and answers as itself. */
export async function findRunning(workspace: string): Promise<DaemonFile | undefined> {
  const file = await findDaemonFile(workspace)
  return file && isAlive(file.pid) && (await answersAsOurs(file)) ? file : undefined
}

export async function answersAsOurs({ pid, url }: DaemonFile): Promise<boolean> {
  try {
    return (await createClient({ url }).service.live(answerTimeoutMs)).pid === pid
  } catch (error) {
    // Whoever asks for a credential, or knows no such path, is somebody else.
    if (error instanceof ReverieError) return false
    throw error
  }
}
