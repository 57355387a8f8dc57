//! PTX text into tokens with line numbers; comments and preprocessor lines are left out.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Tok<'a> {
    /// A name, with `%`, `$` and `::` where the text has them.
    Ident(&'a str),
    /// An integer; the sign is a token of its own.
    Int(u64),
    /// `0f` and eight hexadecimal digits: the bits.
    F32(u32),
    /// `0d` and sixteen digits, or a decimal number: the bits.
    F64(u64),
    /// What stands between quotes.
    Str(&'a str),
    /// One character of punctuation.
    Punct(char),
}

/// A token and the line it is on, counted from 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'a> {
    pub(crate) tok: Tok<'a>,
    pub(crate) line: u32,
}

/// Where the text can't be cut into tokens, and why.
#[derive(Debug)]
pub(crate) struct LexError {
    pub(crate) line: u32,
    pub(crate) message: String,
}

/// Cuts the whole text into tokens.
pub(crate) fn tokens(text: &str) -> Result<Vec<Token<'_>>, LexError> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(text.len() / 4);
    let (mut at, mut line) = (0, 1);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\n' => {
                line += 1;
                at += 1;
            }
            // A driver takes text that ends in NUL bytes, as C strings do.
            b' ' | b'\t' | b'\r' | 0 => at += 1,
            b'/' if bytes.get(at + 1) == Some(&b'/') => at += line_end(&bytes[at..]),
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                let Some(len) = text.get(at + 2..).and_then(|rest| rest.find("*/")) else {
                    return Err(error(line, "a comment without an end"));
                };
                line += count_lines(&bytes[at..at + 2 + len]);
                at += len + 4;
            }
            b'#' => at += line_end(&bytes[at..]),
            b'"' => {
                let Some(len) = bytes[at + 1..].iter().position(|&b| b == b'"') else {
                    return Err(error(line, "a string without an end"));
                };
                let inner = text.get(at + 1..at + 1 + len).unwrap_or("");
                out.push(Token { tok: Tok::Str(inner), line });
                line += count_lines(inner.as_bytes());
                at += len + 2;
            }
            b'0'..=b'9' => {
                let (tok, len) = number(&text[at..]).map_err(|message| LexError { line, message })?;
                out.push(Token { tok, line });
                at += len;
            }
            _ if starts_name(byte) => {
                let len = name_len(&bytes[at..]);
                out.push(Token { tok: Tok::Ident(&text[at..at + len]), line });
                at += len;
            }
            _ if byte.is_ascii_graphic() => {
                out.push(Token { tok: Tok::Punct(char::from(byte)), line });
                at += 1;
            }
            _ => return Err(error(line, &format!("a byte {byte:#04x} that PTX has no use for"))),
        }
    }
    Ok(out)
}

fn error(line: u32, message: &str) -> LexError {
    LexError { line, message: message.to_owned() }
}

fn line_end(bytes: &[u8]) -> usize {
    bytes.iter().position(|&b| b == b'\n').unwrap_or(bytes.len())
}

fn count_lines(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.iter().filter(|&&b| b == b'\n').count()).unwrap_or(u32::MAX)
}

fn starts_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$' | b'%')
}

fn name_len(bytes: &[u8]) -> usize {
    let mut at = 1;
    loop {
        match bytes.get(at) {
            Some(b) if b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$') => at += 1,
            // `shared::cta`, `L1::no_allocate`: one name.
            Some(b':') if bytes.get(at + 1) == Some(&b':') => at += 2,
            _ => return at,
        }
    }
}

/// A number at the start of `text`, and its length.
fn number(text: &str) -> Result<(Tok<'static>, usize), String> {
    let bytes = text.as_bytes();
    let second = bytes.get(1).copied().unwrap_or(0);
    if bytes[0] == b'0' && second.is_ascii_alphabetic() && !matches!(second, b'U' | b'e' | b'E') {
        let len = 2 + bytes[2..].iter().take_while(|b| b.is_ascii_alphanumeric()).count();
        let digits = &text[2..len];
        let bad = || format!("{:?} is no number", &text[..len]);
        let tok = match second {
            b'f' | b'F' => Tok::F32(u32::from_str_radix(digits, 16).map_err(|_| bad())?),
            b'd' | b'D' => Tok::F64(u64::from_str_radix(digits, 16).map_err(|_| bad())?),
            b'x' | b'X' => Tok::Int(u64::from_str_radix(digits.trim_end_matches('U'), 16).map_err(|_| bad())?),
            b'b' | b'B' => Tok::Int(u64::from_str_radix(digits.trim_end_matches('U'), 2).map_err(|_| bad())?),
            _ => return Err(bad()),
        };
        return Ok((tok, len));
    }
    let mut len = bytes.iter().take_while(|b| b.is_ascii_digit()).count();
    let fraction = bytes.get(len) == Some(&b'.') && bytes.get(len + 1).is_some_and(u8::is_ascii_digit);
    let exponent = matches!(bytes.get(len), Some(b'e' | b'E'));
    if fraction || exponent {
        if fraction {
            len += 1 + bytes[len + 1..].iter().take_while(|b| b.is_ascii_digit()).count();
        }
        if matches!(bytes.get(len), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(len + 1), Some(b'+' | b'-')));
            len += 1 + sign;
            len += bytes[len..].iter().take_while(|b| b.is_ascii_digit()).count();
        }
        let value: f64 = text[..len].parse().map_err(|_| format!("{:?} is no number", &text[..len]))?;
        return Ok((Tok::F64(value.to_bits()), len));
    }
    let digits = &text[..len];
    let octal = digits.len() > 1 && digits.starts_with('0');
    let value = u64::from_str_radix(digits, if octal { 8 } else { 10 });
    let value = value.map_err(|_| format!("{digits:?} does not fit into 64 bits"))?;
    Ok((Tok::Int(value), len + usize::from(bytes.get(len) == Some(&b'U'))))
}
