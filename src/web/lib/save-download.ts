import { runAfter } from './timers.ts'

/** Saves by script, not by link: a refusal would be saved as a file. @param onProgress bytes received so far */
export async function saveDownload(
  response: Response,
  fallbackName: string,
  onProgress?: (bytes: number) => void,
): Promise<void> {
  const body = onProgress ? countBytes(response, onProgress) : response
  saveFile(await body.blob(), fileNameOf(response) ?? fallbackName)
}

function countBytes(response: Response, onProgress: (bytes: number) => void): Response {
  let bytes = 0
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(part, controller) {
      bytes += part.length
      onProgress(bytes)
      controller.enqueue(part)
    },
  })
  return new Response(response.body?.pipeThrough(counter) ?? null)
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
