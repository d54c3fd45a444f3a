/** A model that needs no provider and ignores its prompt. */
export const echoTarget = {
  executor: 'command',
  command: { bin: 'echo', args: ['Hello from a command.'] },
  models: { m: { model: 'echo' } },
}
