import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeHeader, encodeHeader, paramHeaders } from '../../src/proxy/param-headers.ts';

describe('headers that mirror arguments', () => {
  it('as the revision’s examples have them', () => {
    expect(encodeHeader('us-west1')).toBe('us-west1');
    expect(encodeHeader('Hello, 世界')).toBe('=?base64?SGVsbG8sIOS4lueVjA==?=');
    expect(encodeHeader(' padded ')).toBe('=?base64?IHBhZGRlZCA=?=');
    expect(encodeHeader('line1\nline2')).toBe('=?base64?bGluZTEKbGluZTI=?=');
    expect(encodeHeader('=?base64?literal?=')).toBe('=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=');
  });

  it('never break a header, and say what was meant', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const header = encodeHeader(text);
        expect(header).toMatch(/^[\t -~]*$/);
        expect(decodeHeader(header)).toBe(text);
      }),
    );
    expect(decodeHeader('=?base64?bG9vaw?=')).toBeUndefined();
    expect(decodeHeader('=?base64?/w==?=')).toBeUndefined();
  });

  it('are of the properties that ask for it, by whatever names', () => {
    const schema = {
      type: 'object',
      properties: {
        region: { type: 'string', 'x-mcp-header': 'Region' },
        deep: { type: 'object', properties: { count: { type: 'integer', 'x-mcp-header': 'Count' } } },
        list: { type: 'array', items: { type: 'string', 'x-mcp-header': 'Item' } },
        bad: { type: 'string', 'x-mcp-header': 'Bad Header' },
        absent: { type: 'string', 'x-mcp-header': 'Absent' },
      },
    };
    const args = { region: 'ö', deep: { count: 42 }, list: ['x'], bad: 'x' };
    expect(paramHeaders({ inputSchema: schema }, args)).toEqual({
      'mcp-param-region': '=?base64?w7Y=?=',
      'mcp-param-count': '42',
    });
    expect(paramHeaders({}, args)).toEqual({});
  });
});
