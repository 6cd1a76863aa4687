//! A class judged by parts as an array of jobs of Slurm. Parts and the process that waits for them share a folder:
//!
//! ```text
//! folder/parts          the number of parts, which stays
//! folder/part.sh        the job script
//! folder/part-3.tar     the store of a part, replaced as a whole
//! folder/part-3.json    the node that judged it, and how it ended
//! folder/part-3.out     its output
//! ```
//!
//! Knows no problem and no verdict. Does not print.

mod batch_queue;
mod fold_only;
mod part_files;

pub use batch_queue::{BatchArray, BatchQueue, BatchTask};
pub use fold_only::FoldOnly;
pub use part_files::{PartFolder, PartNode, PartRecord};
