package io.hintflow.operators;

import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import org.apache.flink.api.common.typeutils.CompositeTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.types.Row;

/**
 * A row as the bytes that its serializer makes of it. State in memory holds rows like this: the
 * objects of a row, one for each value, would take several times the space and keep the garbage
 * collector busy. Rows are equal if their bytes are.
 */
final class PackedRow {
  private final byte[] bytes;

  private PackedRow(byte[] bytes) {
    this.bytes = bytes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PackedRow row && Arrays.equals(bytes, row.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** Packs and unpacks rows. What it writes is the number of bytes, and the bytes. */
  static final class Serializer extends TypeSerializer<PackedRow> {
    private static final long serialVersionUID = 1L;

    private final TypeSerializer<Row> rows;
    private transient DataOutputSerializer buffer;

    Serializer(TypeSerializer<Row> rows) {
      this.rows = rows;
    }

    PackedRow pack(Row row) throws IOException {
      if (buffer == null) {
        buffer = new DataOutputSerializer(128);
      }
      buffer.clear();
      rows.serialize(row, buffer);
      return new PackedRow(buffer.getCopyOfBuffer());
    }

    Row unpack(PackedRow row) throws IOException {
      return rows.deserialize(new DataInputDeserializer(row.bytes));
    }

    @Override
    public void serialize(PackedRow row, DataOutputView target) throws IOException {
      target.writeInt(row.bytes.length);
      target.write(row.bytes);
    }

    @Override
    public PackedRow deserialize(DataInputView source) throws IOException {
      byte[] bytes = new byte[source.readInt()];
      source.readFully(bytes);
      return new PackedRow(bytes);
    }

    @Override
    public PackedRow deserialize(PackedRow reuse, DataInputView source) throws IOException {
      return deserialize(source);
    }

    @Override
    public void copy(DataInputView source, DataOutputView target) throws IOException {
      serialize(deserialize(source), target);
    }

    @Override
    public PackedRow copy(PackedRow row) {
      return row;
    }

    @Override
    public PackedRow copy(PackedRow row, PackedRow reuse) {
      return row;
    }

    @Override
    public boolean isImmutableType() {
      return true;
    }

    @Override
    public PackedRow createInstance() {
      return new PackedRow(new byte[0]);
    }

    @Override
    public int getLength() {
      return -1;
    }

    /** State of several tasks is written at a time, and the buffer is one task's own. */
    @Override
    public TypeSerializer<PackedRow> duplicate() {
      return new Serializer(rows.duplicate());
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Serializer serializer && rows.equals(serializer.rows);
    }

    @Override
    public int hashCode() {
      return Objects.hash(rows);
    }

    @Override
    public TypeSerializerSnapshot<PackedRow> snapshotConfiguration() {
      return new Snapshot(this);
    }
  }

  /**
   * What a savepoint knows about the serializer: that of the rows, so that Flink refuses rows of
   * other types. Savepoints name this class; Flink makes it by reflection.
   */
  public static final class Snapshot
      extends CompositeTypeSerializerSnapshot<PackedRow, Serializer> {
    public Snapshot() {}

    Snapshot(Serializer serializer) {
      super(serializer);
    }

    @Override
    protected int getCurrentOuterSnapshotVersion() {
      return 1;
    }

    @Override
    protected TypeSerializer<?>[] getNestedSerializers(Serializer serializer) {
      return new TypeSerializer<?>[] {serializer.rows};
    }

    @Override
    @SuppressWarnings("unchecked")
    protected Serializer createOuterSerializerWithNestedSerializers(
        TypeSerializer<?>[] nestedSerializers) {
      return new Serializer((TypeSerializer<Row>) nestedSerializers[0]);
    }
  }
}
