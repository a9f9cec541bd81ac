/**
 * Saves an answer of the API as a file, under the name that the server gave it. Read by the scripts and not
 * opened by a link, so that a refusal is a sentence on the screen and no file that holds an error.
 *
 * @param fallbackName for an answer without a name
 */
export async function saveDownload(response: Response, fallbackName: string): Promise<void> {
  const file = await response.blob()
  saveFile(file, fileNameOf(response) ?? fallbackName)
}

function fileNameOf(response: Response): string | undefined {
  return /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1]
}

function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // The browser has taken the file over by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
