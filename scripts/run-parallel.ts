import { spawn } from 'node:child_process'
import { once } from 'node:events'

// Runs npm scripts concurrently and prints the complete output of each in the given order.
for (const run of process.argv.slice(2).map(start)) {
  const { script, code, output } = await run
  process.stdout.write(`> ${script}\n${output}`)
  if (code === 0) continue
  process.stdout.write(`${script} failed\n`)
  process.exitCode = 1
}

async function start(script: string) {
  const child = spawn(process.execPath, ['--run', script], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const [code] = await once(child, 'close')
  return { script, code, output }
}
