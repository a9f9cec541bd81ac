import { createHash } from 'node:crypto'
import type { Clock } from '#server/clock.ts'
import { AppError } from '#server/errors.ts'
import { imageMessages } from '#shared/images.ts'
import type { createFilesRepository } from './repository.ts'

/** An upload becomes part of something within this time, in milliseconds; else it is swept away. */
const graceMs = 24 * 60 * 60 * 1000

/** What the address of a file ends with. */
const extensions: Record<string, string> = { 'image/webp': 'webp' }

export interface ImageRules {
  /** The largest upload. */
  maxBytes: number
  /** The longest side that is kept, in pixels. */
  sidePx: number
}

interface FilesServiceOptions {
  repository: ReturnType<typeof createFilesRepository>
  clock: Clock
}

export type FilesService = ReturnType<typeof createFilesService>

/** Uploaded files. An address tells the content, so what it shows never changes. */
export function createFilesService({ repository, clock }: FilesServiceOptions) {
  return {
    /**
     * Makes an image anew and stores it.
     *
     * @throws AppError `too_big` or `invalid` with the sentence for the person
     */
    async storeImage(bytes: Buffer, { maxBytes, sidePx }: ImageRules): Promise<{ url: string }> {
      if (bytes.byteLength > maxBytes) {
        throw new AppError('too_big', { detail: imageMessages.tooLarge(maxBytes) })
      }
      // Loaded with the first image: it brings a large library, which most starts never need.
      const { cleanImage } = await import('./image.ts')
      const image = await cleanImage(bytes, sidePx)
      const id = createHash('sha256').update(image.bytes).digest('hex')
      await repository.put({ id, ...image }, clock())
      return { url: `/api/files/${id}.${extensions[image.mediaType]}` }
    },

    /** @throws AppError `not_found` */
    async read(id: string, extension: string): Promise<{ mediaType: string; bytes: Buffer }> {
      const file = await repository.find(id)
      if (!file || extensions[file.mediaType] !== extension) throw new AppError('not_found')
      return file
    },

    /** Deletes files that nothing refers to any more. @param urls of those in use */
    async sweep(urls: readonly string[]): Promise<number> {
      const inUse = urls.map((url) => /([0-9a-f]{64})\.\w+$/.exec(url)?.[1] ?? '')
      return await repository.deleteOthers(inUse, new Date(clock().getTime() - graceMs))
    },
  }
}
