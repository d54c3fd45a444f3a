import { launchDaemon } from './daemon-process.ts'

// Run as a process of its own, in place of tests that are killed while a daemon runs.
const [workspace = ''] = process.argv.slice(2)
const { url } = await launchDaemon({ workspace })
process.stdout.write(`${url}\n`)
setInterval(() => {}, 60_000)
