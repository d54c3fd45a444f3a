import { count } from '../format.ts'

export const settings = {
  review: 'Review changes',
  changes: 'Changes',
  edited: (value: number) => (value === 0 ? '' : count(value, 'change', 'changes')),
  revert: 'Undo the edit',
  useDefault: 'Use the default',
  unset: '(not set)',
  isSet: 'A value is set; it is not shown.',
  unit: (name: string) => `In ${name}.`,
  default: (text: string) => `Default: ${text}.`,
  sources: { default: 'default', file: 'from the file', environment: 'set by the environment' },
  restart: 'needs a restart',
  restartText: 'Some of it takes effect after a restart of the service.',
  saved: 'The settings are saved.',
  savedForRestart: 'The settings are saved. Restart the service to use all of them.',
}
