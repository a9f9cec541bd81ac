import { codeOf } from '#server/database/errors.ts'

// The keys are Node's codes of errors.
const sentences: Record<string, string> = {
  ENOENT: 'There is no such file or folder.',
  ENOTDIR: 'There is no such file or folder.',
  EACCES: 'Permission denied.',
  EPERM: 'Permission denied.',
  EROFS: 'The disk is read-only.',
  EEXIST: 'There is already something of that name.',
  EISDIR: 'It is a folder.',
  ENOSPC: 'The disk is full.',
  EDQUOT: 'Your disk quota is used up.',
  EFBIG: 'The file is too large for this disk.',
  EIO: 'The disk reported an error.',
  ELOOP: 'Its links lead in a circle.',
  ENAMETOOLONG: 'The name is too long.',
}

// Node has the same codes for a socket that nobody listens on, and for a process of another user.
const otherCalls: readonly unknown[] = ['connect', 'kill']

/** What is wrong with a file, for the operator; undefined for an error that isn't a file's. */
export function fileFaultOf(error: unknown): string | undefined {
  if (error instanceof Error && 'syscall' in error && otherCalls.includes(error.syscall)) return undefined
  return sentences[codeOf(error) ?? '']
}

/** Returns the file or folder of an error; undefined where Node doesn't name it. */
export function filePathOf(error: unknown): string | undefined {
  return error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : undefined
}
