import { get } from 'node:http'

export interface CapturedAnswer {
  // Alternating names and values, without those that node:http adds.
  headers: string[]
  // In base64.
  body: string
}

const addedByNode = new Set(['date', 'connection', 'keep-alive'])

export async function captureAnswer(url: string, acceptEncoding: string): Promise<CapturedAnswer> {
  return await new Promise((resolve, reject) => {
    get(url, { headers: { 'Accept-Encoding': acceptEncoding } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const { rawHeaders } = response
        const headers = rawHeaders.filter(
          (_text, index) => !addedByNode.has(rawHeaders[index - (index % 2)]?.toLowerCase() ?? ''),
        )
        resolve({ headers, body: Buffer.concat(chunks).toString('base64') })
      })
    }).on('error', reject)
  })
}
