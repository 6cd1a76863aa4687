//! Builds a tree from YAML events in one pass: copies aliases, applies merge keys, lists duplicate keys.
//! Knows no file.

use super::{
    scalar::{ScalarText, resolve},
    tree::{YamlEntry, YamlNode, YamlValue},
};
use granit_parser::{
    ErrorKind, Event, Options, Parser, ScalarStyle, ScanError, Span, StrInput, StructureStyle,
};
use std::collections::{HashMap, HashSet};

/// The deepest nesting of lists and maps, aliases included: the readers of a tree recurse.
const DEEPEST: usize = 24;
/// The most values in a text: no problem needs more.
const MAX_NODES: usize = 1_000_000;
/// The most values that aliases may copy: more would only waste memory.
const MAX_COPIES: usize = 20_000;

/// The contents of a text, as far as they are usable.
pub(super) struct Composed {
    /// Each key once: the first one counts.
    pub root: Result<YamlNode, SyntaxError>,
    /// Keys that their map already has, in text order.
    pub duplicates: Vec<Duplicate>,
}

/// A key that its map already has.
pub(super) struct Duplicate {
    pub key: String,
    pub line: u32,
}

/// Why a text is not YAML, or is not accepted.
pub(super) struct SyntaxError {
    pub line: u32,
    pub message: String,
}

/// Parses a text with one document. A text without any is `Null`.
pub(super) fn compose(text: &str) -> Composed {
    let mut composer = Composer::new(text);
    let root = composer.read_document();
    Composed { root, duplicates: composer.duplicates }
}

struct Composer<'t> {
    text: &'t str,
    events: Parser<'t, StrInput<'t>>,
    /// Complete values by anchor number.
    anchors: HashMap<usize, YamlNode>,
    duplicates: Vec<Duplicate>,
    /// The number of open lists and maps.
    depth: usize,
    nodes: usize,
    copies: usize,
}

impl<'t> Composer<'t> {
    fn new(text: &'t str) -> Composer<'t> {
        let mut options = Options::default();
        options.set_emit_comments(false);
        Composer {
            text,
            events: Parser::new_from_str_with_options(text, options),
            anchors: HashMap::new(),
            duplicates: Vec::new(),
            depth: 0,
            nodes: 0,
            copies: 0,
        }
    }

    fn read_document(&mut self) -> Result<YamlNode, SyntaxError> {
        let mut root = None;
        loop {
            let (event, span) = self.next_event()?;
            match event {
                Event::StreamStart | Event::DocumentEnd => (),
                Event::StreamEnd => return Ok(root.unwrap_or(YamlNode::new(line_of(&span), YamlValue::Null))),
                Event::DocumentStart(..) if root.is_some() => {
                    return Err(SyntaxError::new(line_of(&span), "holds more than one document"));
                }
                Event::DocumentStart(..) => (),
                first => root = Some(self.read_node(first, &span)?),
            }
        }
    }

    fn next_event(&mut self) -> Result<(Event<'t>, Span), SyntaxError> {
        match self.events.next_event() {
            Some(event) => Ok(event?),
            None => Err(SyntaxError::new(0, "ends too early")),
        }
    }

    /// Reads the value that starts with an event.
    fn read_node(&mut self, first: Event<'t>, span: &Span) -> Result<YamlNode, SyntaxError> {
        let line = line_of(span);
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(SyntaxError::new(line, format!("holds more than {MAX_NODES} values")));
        }
        let (anchor, node) = match first {
            Event::Alias(anchor) => return self.copy_anchored(anchor, line),
            Event::Scalar(value, style, anchor, tag) => {
                let is_plain = matches!(style, ScalarStyle::Plain);
                let scalar = ScalarText { value: &value, is_plain, tag: tag.as_deref() };
                let value = resolve(scalar).map_err(|message| SyntaxError::new(line, message))?;
                let in_block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
                // Spans lack tags and the `|` of a block, which change the meaning of the text.
                let whole = tag.is_none() && !in_block;
                let spelling = if whole { self.one_line_spelling(span) } else { None };
                (anchor, YamlNode { line, flow: false, spelling, value })
            }
            Event::SequenceStart(style, anchor, _) => {
                let value = YamlValue::List(self.nested(line, Composer::read_items)?);
                (anchor, YamlNode { line, flow: style == StructureStyle::Flow, spelling: None, value })
            }
            Event::MappingStart(style, anchor, _) => {
                let value = YamlValue::Map(self.nested(line, Composer::read_entries)?);
                (anchor, YamlNode { line, flow: style == StructureStyle::Flow, spelling: None, value })
            }
            _ => return Err(SyntaxError::new(line, "a value is missing")),
        };
        if anchor > 0 {
            // An anchor inside another is copied each time, so copies count as values, too.
            self.nodes += Extent::of(&node).nodes;
            self.anchors.insert(anchor, node.clone());
        }
        Ok(node)
    }

    fn nested<T>(
        &mut self,
        line: u32,
        read: fn(&mut Self) -> Result<T, SyntaxError>,
    ) -> Result<T, SyntaxError> {
        self.depth += 1;
        check_depth(self.depth, line)?;
        let inner = read(self)?;
        self.depth -= 1;
        Ok(inner)
    }

    fn read_items(&mut self) -> Result<Vec<YamlNode>, SyntaxError> {
        let mut items = Vec::new();
        loop {
            match self.next_event()? {
                (Event::SequenceEnd, _) => return Ok(items),
                (first, span) => items.push(self.read_node(first, &span)?),
            }
        }
    }

    fn read_entries(&mut self) -> Result<Vec<YamlEntry>, SyntaxError> {
        let mut entries = Entries::default();
        let mut merged = Vec::new();
        loop {
            let (first, span) = self.next_event()?;
            if first == Event::MappingEnd {
                break;
            }
            let merges = is_merge_key(&first);
            let name = self.read_node(first, &span)?;
            let entry = YamlEntry { key: key_of(&name), line: name.line, name, node: self.read_value()? };
            if merges {
                merged.push(entry.node);
            } else {
                self.duplicates.extend(entries.add(entry));
            }
        }
        // Last, wherever they are in the map: the map's own keys take precedence.
        for node in merged {
            entries.merge(node)?;
        }
        Ok(entries.list)
    }

    fn read_value(&mut self) -> Result<YamlNode, SyntaxError> {
        let (first, span) = self.next_event()?;
        self.read_node(first, &span)
    }

    fn copy_anchored(&mut self, anchor: usize, line: u32) -> Result<YamlNode, SyntaxError> {
        let Some(node) = self.anchors.get(&anchor) else {
            return Err(SyntaxError::new(line, "an alias is inside its own value"));
        };
        let extent = Extent::of(node);
        self.copies += extent.nodes;
        if self.copies > MAX_COPIES {
            return Err(SyntaxError::new(line, format!("aliases copy more than {MAX_COPIES} values")));
        }
        check_depth(self.depth + extent.depth, line)?;
        let mut copy = node.clone();
        // A copied value gets the line of its alias: that is the place to change.
        copy.move_to_line(line);
        Ok(copy)
    }

    /// The text of a scalar on one line, as written.
    fn one_line_spelling(&self, span: &Span) -> Option<String> {
        let there = span.slice(self.text)?;
        let one_line = !there.trim().is_empty() && !there.contains(['\n', '\r']);
        if one_line { Some(there.to_owned()) } else { None }
    }
}

/// The entries of a map so far.
#[derive(Default)]
struct Entries {
    list: Vec<YamlEntry>,
    /// Keys as texts, because readers look them up as texts: `1` and `'1'` are equal.
    keys: HashSet<Option<String>>,
}

impl Entries {
    /// Adds an entry, unless its key exists already.
    fn add(&mut self, entry: YamlEntry) -> Option<Duplicate> {
        let key = match &entry.name.value {
            YamlValue::Null => None,
            YamlValue::Bare(text) | YamlValue::Text(text) => Some(text.clone()),
            // No reader uses such a key, so two of them cannot be confused.
            YamlValue::List(_) | YamlValue::Map(_) => {
                self.list.push(entry);
                return None;
            }
        };
        if !self.keys.insert(key) {
            let key = if entry.key.is_empty() { entry.name.spelling.unwrap_or_default() } else { entry.key };
            return Some(Duplicate { key, line: entry.line });
        }
        self.list.push(entry);
        None
    }

    /// Adds the entries of one or more maps whose keys do not exist yet.
    fn merge(&mut self, node: YamlNode) -> Result<(), SyntaxError> {
        match node.value {
            YamlValue::Null => Ok(()),
            YamlValue::Map(entries) => {
                for entry in entries {
                    self.add(entry);
                }
                Ok(())
            }
            YamlValue::List(nodes) => nodes.into_iter().try_for_each(|node| self.merge(node)),
            YamlValue::Bare(_) | YamlValue::Text(_) => {
                Err(SyntaxError::new(node.line, "`<<` takes a map or a list of maps"))
            }
        }
    }
}

/// The size of a value.
struct Extent {
    nodes: usize,
    depth: usize,
}

impl Extent {
    fn of(node: &YamlNode) -> Extent {
        let parts: Vec<Extent> = match &node.value {
            YamlValue::Null | YamlValue::Bare(_) | YamlValue::Text(_) => {
                return Extent { nodes: 1, depth: 0 };
            }
            YamlValue::List(items) => items.iter().map(Extent::of).collect(),
            YamlValue::Map(entries) => {
                entries.iter().flat_map(|entry| [&entry.name, &entry.node]).map(Extent::of).collect()
            }
        };
        Extent {
            nodes: 1 + parts.iter().map(|part| part.nodes).sum::<usize>(),
            depth: 1 + parts.iter().map(|part| part.depth).max().unwrap_or(0),
        }
    }
}

impl SyntaxError {
    fn new(line: u32, message: impl Into<String>) -> SyntaxError {
        SyntaxError { line, message: message.into() }
    }
}

impl From<ScanError> for SyntaxError {
    fn from(error: ScanError) -> SyntaxError {
        let message = match error.kind() {
            ErrorKind::UnknownAnchor => "an alias without an anchor before it".to_owned(),
            _ => error.info(),
        };
        SyntaxError::new(error.marker().line() as u32, message)
    }
}

fn check_depth(depth: usize, line: u32) -> Result<(), SyntaxError> {
    if depth > DEEPEST {
        return Err(SyntaxError::new(line, format!("lists and maps are nested deeper than {DEEPEST}")));
    }
    Ok(())
}

fn line_of(span: &Span) -> u32 {
    span.start.line() as u32
}

fn is_merge_key(event: &Event) -> bool {
    // With quotes or a tag, `<<` is an ordinary key.
    matches!(event, Event::Scalar(value, ScalarStyle::Plain, _, None) if value == "<<")
}

fn key_of(name: &YamlNode) -> String {
    match &name.value {
        YamlValue::Text(text) | YamlValue::Bare(text) => text.clone(),
        YamlValue::Null | YamlValue::List(_) | YamlValue::Map(_) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_read_once_however_many_keys_are_duplicates() {
        let text = "data: {x: &x [1, 2]}\n".repeat(2001);
        let mut composer = Composer::new(&text);
        let root = composer.read_document();
        assert!(root.is_ok());
        assert_eq!(composer.duplicates.len(), 2000);
        // Per line: a key, a map, its key, a list and two numbers; and the list again for its anchor.
        assert_eq!(composer.nodes, 1 + 2001 * (6 + 3));
    }
}
