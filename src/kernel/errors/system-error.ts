const remedies: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Another program uses this address. Stop it, or set SVC_PORT to another port.',
  EADDRNOTAVAIL: 'This machine does not have this address. Set SVC_HOST to one that it has.',
  EACCES: 'The system denies access. Run as the owner of the file, or change its permissions.',
  EPERM: 'The system denies access. Run as the owner of the file, or change its permissions.',
  EROFS: 'The file system is read-only. Mount it for writing, or choose another folder.',
  ENOENT: 'A file or folder does not exist. Check the path.',
  ENOTDIR: 'A part of the path is a file, not a folder. Check the path.',
  EISDIR: 'The path is a folder, not a file. Check the path.',
  ENOSPC: 'The disk is full. Free some space, then try again.',
  EDQUOT: 'The disk quota is used up. Free some space, then try again.',
  EMFILE: 'The process has too many open files. Raise the limit with ulimit -n.',
}

/** Returns the message of an error. A system error is explained first, with its remedy. */
export function explainError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const remedy = 'code' in error ? remedies[String(error.code)] : undefined
  return remedy === undefined ? error.message : `${remedy} (${error.message})`
}

/** Returns the message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Returns whether the error has this system code, such as `ENOENT`. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
