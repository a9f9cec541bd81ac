import { runAfter } from './timers.ts'

// In bytes.
const chunkBytes = 4 * 1024 * 1024

/**
 * By script, not by link: a refusal would be saved as a file. @param onProgress bytes received so
 * far
 */
export async function saveDownload(
  response: Response,
  fallbackName: string,
  onProgress?: (bytes: number) => void,
): Promise<void> {
  const file = onProgress ? await collect(response, onProgress) : await response.blob()
  saveFile(file, fileNameOf(response) ?? fallbackName)
}

// Blobs are stored on disk: a large file doesn't fill the page's memory.
async function collect(response: Response, onProgress: (bytes: number) => void): Promise<Blob> {
  const reader = response.body?.getReader()
  const pieces: Blob[] = []
  let waiting: Uint8Array<ArrayBuffer>[] = []
  let waitingBytes = 0
  let bytes = 0
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    waiting.push(part.value)
    waitingBytes += part.value.length
    bytes += part.value.length
    if (waitingBytes >= chunkBytes) {
      pieces.push(new Blob(waiting))
      waiting = []
      waitingBytes = 0
    }
    onProgress(bytes)
  }
  return new Blob([...pieces, ...waiting])
}

function fileNameOf(response: Response): string | undefined {
  return /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1]
}

export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // The browser has taken the file over by then.
  runAfter(10_000, () => URL.revokeObjectURL(link.href))
}
