import { codeOf } from '#server/database/errors.ts'
import { BackupFileError } from '#server/features/backup/format.ts'

const sentences: Record<string, string> = {
  ENOENT: 'There is no such file or folder.',
  ENOTDIR: 'There is no such file or folder.',
  EACCES: 'You may not read or write it.',
  EPERM: 'You may not read or write it.',
  EROFS: 'The disk can only be read.',
  EISDIR: 'It is a folder.',
  ENOSPC: 'The disk is full.',
  EDQUOT: 'Your share of the disk is full.',
  EFBIG: 'The disk can not hold a file of that size.',
  EIO: 'The disk has a fault.',
  ENAMETOOLONG: 'The name is too long.',
}

/** What is wrong with a backup's file; undefined for another kind of fault. */
export function fileSentenceOf(error: unknown, path: string): string | undefined {
  if (error instanceof BackupFileError) return `${path}: ${error.message}`
  const sentence = sentences[codeOf(error) ?? '']
  // The database's socket is not the file's fault.
  const isSocket = error instanceof Error && 'syscall' in error && error.syscall === 'connect'
  return sentence !== undefined && !isSocket ? `${path}: ${sentence}` : undefined
}
