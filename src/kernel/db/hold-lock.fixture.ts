import { lockWorkspace } from './instance-lock.ts'

// Runs as a separate process: locks the folder, reports it, and stays.
const [folder = ''] = process.argv.slice(2)
const lock = await lockWorkspace(folder, { pid: process.pid, startedAt: 'just now', host: 'here' })
process.stdout.write('locked')
setInterval(() => lock, 60_000)
