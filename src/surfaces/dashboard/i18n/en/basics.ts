import { count } from '../format.ts'

export const basics = {
  common: {
    tryAgain: 'Try again',
    tryAgainIn: (seconds: number) => `Try again in ${Math.ceil(seconds)} s`,
    loading: 'Loading',
    cancel: 'Cancel',
    close: 'Close',
    save: 'Save',
    saving: 'Saving…',
    undo: 'Undo',
    undone: 'Taken back.',
    discardQuestion: 'What you typed is not saved. Discard it?',
    discard: 'Discard',
    goOn: 'Go on editing',
    showAll: (length: number) => `Show all ${count(length, 'character', 'characters')}`,
    showPlain: 'Show all as plain text',
    more: 'Show more',
    reason: 'Reason',
    unknown: 'unknown',
    all: 'All',
    back: 'Back',
    asTable: 'Show as a table',
    yes: 'yes',
    no: 'no',
    none: 'none',
    dayBefore: 'earlier',
  },
  link: {
    open: 'Open link',
    title: 'Open this address?',
    warning: 'The address was in remembered text. Check where it leads.',
    scheme: 'Scheme',
    host: 'Host',
    rest: 'The rest',
  },
  states: {
    notAvailable: 'Not available',
    notAvailableWhy: 'This build does not have the operation, or you may not use it:',
    brokenShape: 'The reply has another shape than this page expects',
    title: (error: unknown) => titleOf(error),
    missingFile: 'A part of the page is missing',
    missingFileText:
      'The service does not answer, or it was updated. Try again to load the page of the new version.',
    notFound: 'Not found',
    notFoundText: 'There is no screen at this address. Search, or choose a screen.',
    gone: 'It is gone, or you may not read it.',
  },
}

const titles: Readonly<Record<string, string>> = {
  '400': 'This was not accepted',
  '401': 'Sign in to see this',
  '403': 'You may not do this',
  '404': 'It is gone, or you may not read it',
  '409': 'It was changed in the meantime',
  '413': 'This is too large',
  '429': 'Too many requests, wait a moment',
  '503': 'The service is starting or busy',
}

function titleOf(error: unknown): string {
  const { status, code } = Object(error) as { status?: number | null; code?: string }
  if (code === 'unreachable') return 'The service does not answer'
  if (code === 'too_slow') return 'No answer within 30 seconds'
  return titles[String(status)] ?? 'This could not be read'
}
