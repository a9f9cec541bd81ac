/** Parts of a download are handed to the browser's own store in pieces of this size, in bytes. */
const pieceBytes = 4 * 1024 * 1024

/**
 * Saves an answer of the API as a file, under the name that the server gave it. Read by the scripts and not
 * opened by a link, so that a refusal is a sentence on the screen and no file that holds an error.
 *
 * @param fallbackName for an answer without a name
 * @param onProgress called with the bytes that are there so far
 */
export async function saveDownload(
  response: Response,
  fallbackName: string,
  onProgress?: (bytes: number) => void,
): Promise<void> {
  const file = onProgress ? await collect(response, onProgress) : await response.blob()
  saveFile(file, fileNameOf(response) ?? fallbackName)
}

/** Pieces are blobs, which the browser keeps on its disk: a large file doesn't fill the page's memory. */
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
    if (waitingBytes >= pieceBytes) {
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

/** Saves a file that the page has made or read. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // The browser has taken the file over by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
