import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { cosine } from '../../../../src/decide/embedded/cosine.ts'
import { createDigestReader } from '../../../../src/decide/embedded/digest.ts'
import { defaultEmbedder } from '../../../../src/decide/embedded/embed.ts'
import { readStaticTable, TABLE_FILE, WIDTH } from '../../../../src/decide/embedded/static-table.ts'

const read = createDigestReader(defaultEmbedder)

function likeness(one: string, other: string): number {
  return cosine(read({ text: one }).vector, read({ text: other }).vector)
}

function fileOf(bytes: Buffer): URL {
  const file = join(mkdtempSync(join(tmpdir(), 'table-')), 'table.bin')
  writeFileSync(file, bytes)
  return pathToFileURL(file)
}

describe('the static table', () => {
  it('has a row and a scale for each piece, and no piece twice', () => {
    const { pieces, rows, scales } = readStaticTable()
    expect(pieces.length).toBeGreaterThan(20_000)
    expect(new Set(pieces).size).toBe(pieces.length)
    expect(rows).toHaveLength(pieces.length * WIDTH)
    expect(scales).toHaveLength(pieces.length)
    expect(scales.every((scale) => scale > 0 && scale < 1)).toBe(true)
  })

  it('is refused where it is another file or cut short', () => {
    const bytes = readFileSync(TABLE_FILE)
    expect(() => readStaticTable(fileOf(bytes.subarray(0, -1)))).toThrow('cut short')
    expect(() => readStaticTable(fileOf(Buffer.from('something else entirely')))).toThrow('layout')
  })
})

describe('the default embedder', () => {
  it.each([
    ['the doctor treats the patient', 'a physician with somebody ill', 'the price of shares fell'],
    ['we went camping in the mountains', 'a tent by the hills', 'the invoice was paid twice'],
    ['the server crashed with an error', 'our software failed', 'she bakes bread at home'],
    ['getUserName reads the database', 'sql query for a user', 'the violin concert was long'],
    ['数据库的密码保存在配置文件里', '密码在配置文件', '今天天气很好我们去公园'],
    ['Где хранится пароль базы данных', 'пароль базы', 'сегодня хорошая погода'],
  ])('finds "%s" more like "%s" than like "%s"', (text, near, far) => {
    expect(likeness(text, near)).toBeGreaterThan(likeness(text, far) + 0.1)
  })

  it('gives a text without a known word a vector of length 0, like nothing', () => {
    expect(read({ text: '!? 😀 …' }).vector.length).toBe(0)
    expect(likeness('!?', 'a doctor')).toBe(0)
  })

  it('hears the speaker', () => {
    const spoken = read({ speaker: 'Caroline', text: 'yes of course' }).vector
    const name = read({ text: 'Caroline' }).vector
    expect(cosine(spoken, name)).toBeGreaterThan(likeness('yes of course', 'Caroline') + 0.3)
  })

  it('gives every text the same numbers each time', () => {
    const [first, second] = [0, 1].map(() => read({ text: 'a kestrel over Čáslav' }).vector)
    expect(second).toEqual(first)
  })
})
