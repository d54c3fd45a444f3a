import { spawn } from 'node:child_process'
import { once } from 'node:events'

interface Ended {
  readonly command: string
  readonly code: number | null
  readonly output: string
}

// All run at once; what each has said is shown whole, in the order in which they were named.
const commands = process.argv.slice(2).map(run)
for (const ended of commands) {
  const { command, code, output } = await ended
  process.stdout.write(`> ${command}\n${output}`)
  if (code === 0) continue
  process.stdout.write(`failed: ${command}\n`)
  process.exitCode = 1
}

async function run(command: string): Promise<Ended> {
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const [code] = (await once(child, 'close')) as [number | null]
  return { command, code, output }
}
