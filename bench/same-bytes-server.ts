import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { CapturedAnswer } from './capture-answer.ts'

// Started with PORT and ANSWER, the file of the captured response.
const answer: CapturedAnswer = JSON.parse(readFileSync(process.env.ANSWER ?? '', 'utf8'))
const body = Buffer.from(answer.body, 'base64')

createServer((_request, response) => {
  response.writeHead(200, answer.headers).end(body)
}).listen(Number(process.env.PORT), '127.0.0.1')
