import { launchDaemon } from './daemon-process.ts'

// Runs as a separate process, in place of tests that are killed while a daemon runs.
const [workspace = ''] = process.argv.slice(2)
const { url } = await launchDaemon({ workspace })
process.stdout.write(`${url}\n`)
setInterval(() => {}, 60_000)
