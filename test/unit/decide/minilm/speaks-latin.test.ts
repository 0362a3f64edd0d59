import { expect, it } from 'vitest'
import { speaksLatin } from '../../../../src/decide/minilm/speaks-latin.ts'

it.each([
  ['What did Ada say about the invoice?', true],
  ['Was sagte Jürgen über die Straße?', true],
  ['12:30, 7 %', true],
  ['Open src/index.ts in 東京', true],
  ['艾达说了什么关于发票的事？', false],
  ['Что Ада сказала о счёте?', false],
  ['איידה אמרה מה', false],
  ['파일 main.ts 에서 오류가 발생했습니다 다시 확인해 주세요', false],
])('says of "%s" whether it is mostly Latin: %s', (text, expected) => {
  expect(speaksLatin(text)).toBe(expected)
})
