import type { Call } from '../command.ts'
import { start } from './start-run.ts'
import { stop } from './stop-run.ts'

export interface RestartOptions {
  readonly timeout: number
}

/** The document is that of the start: stdout gets one. */
export async function restart(call: Call<RestartOptions>): Promise<void> {
  const silent = { ...call.output, result: () => undefined }
  await stop({ ...call, output: silent })
  await start(call)
}
