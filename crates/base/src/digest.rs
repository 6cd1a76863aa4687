//! Digests identify contents; a digest of fields identifies a composite value.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::{fmt, fs::File, io, path::Path, str::FromStr};

/// The BLAKE3 digest of bytes, written as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of bytes in memory.
    pub fn of(bytes: &[u8]) -> Digest {
        Digest(*blake3::hash(bytes).as_bytes())
    }

    /// The digest of a file's contents, in constant memory.
    pub fn of_file(path: &Path) -> io::Result<Digest> {
        Digest::of_reader(File::open(path)?)
    }

    /// The digest of a reader's data, in constant memory.
    pub fn of_reader(reader: impl io::Read) -> io::Result<Digest> {
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(reader)?;
        Ok(Digest(*hasher.finalize().as_bytes()))
    }

    /// A digest that was stored as bytes.
    pub fn from_bytes(bytes: [u8; 32]) -> Digest {
        Digest(bytes)
    }

    /// The 32 bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The first twelve digits, for messages.
    pub fn short(&self) -> String {
        self.to_string()[..12].to_owned()
    }
}

/// A digest over named fields. Names and values are length-prefixed, so different lists of fields have
/// different inputs.
#[derive(Clone)]
pub struct DigestFields(blake3::Hasher);

impl DigestFields {
    /// Starts a list of fields; `kind` separates different kinds of values.
    pub fn new(kind: &str) -> DigestFields {
        DigestFields(blake3::Hasher::new()).with("kind", kind.as_bytes())
    }

    #[must_use]
    pub fn with(mut self, name: &str, value: &[u8]) -> DigestFields {
        self.add(name, value);
        self
    }

    /// Adds a field in place.
    pub fn add(&mut self, name: &str, value: &[u8]) {
        for part in [name.as_bytes(), value] {
            self.0.update(&(part.len() as u64).to_le_bytes());
            self.0.update(part);
        }
    }

    /// The digest of all fields so far.
    pub fn digest(&self) -> Digest {
        Digest(*self.0.finalize().as_bytes())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(blake3::Hash::from_bytes(self.0).to_hex().as_str())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Digest({})", self.short())
    }
}

impl FromStr for Digest {
    type Err = blake3::HexError;

    fn from_str(text: &str) -> Result<Digest, Self::Err> {
        blake3::Hash::from_hex(text).map(|hash| Digest(*hash.as_bytes()))
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Digest, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_not_confused_by_their_borders() {
        let one = DigestFields::new("x").with("a", b"bc").digest();
        let two = DigestFields::new("x").with("ab", b"c").digest();
        assert_ne!(one, two);
    }

    #[test]
    fn a_digest_survives_its_text() {
        let digest = Digest::of(b"coin");
        assert_eq!(digest.to_string().parse::<Digest>().unwrap(), digest);
        assert_eq!(digest.short().len(), 12);
    }
}
