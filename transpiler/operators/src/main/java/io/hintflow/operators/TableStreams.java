package io.hintflow.operators;

import static org.apache.flink.table.api.Expressions.$;
import static org.apache.flink.table.api.Expressions.callSql;
import static org.apache.flink.table.api.config.ExecutionConfigOptions.TABLE_EXEC_RESOURCE_DEFAULT_PARALLELISM;

import java.time.ZoneId;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.Expressions;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.TableConfig;
import org.apache.flink.table.api.TableException;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.api.config.TableConfigOptions;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.expressions.Expression;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.LocalZonedTimestampType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.TimestampType;
import org.apache.flink.types.Row;

/**
 * Leads the rows of a query through the DataStream API and back into SQL, without losing what SQL
 * knows about them: names, types and nullability of the columns, their order, row kinds, record
 * timestamps, watermarks, and whether the rows are only ever inserted.
 *
 * <p>Time attributes: the first rowtime column stays one. Flink lets only one through a stream, so
 * any further rowtime column comes back as a plain timestamp. A proctime column has no value while
 * it travels; it is left out of the stream and declared anew behind it.
 */
public final class TableStreams {
  private final StreamExecutionEnvironment environment;
  private final StreamTableEnvironment tables;
  private final Map<Table, ChangelogMode> changelogModes = new IdentityHashMap<>();

  public TableStreams(StreamExecutionEnvironment environment, StreamTableEnvironment tables) {
    this.environment = environment;
    this.tables = tables;
    // Flink does the same, but only when it plans the first query: an operator added before that
    // would run at another parallelism than one added later.
    int parallelism = tables.getConfig().get(TABLE_EXEC_RESOURCE_DEFAULT_PARALLELISM);
    if (parallelism > 0) {
      environment.setParallelism(parallelism);
    }
  }

  /** The rows of the query, in a plan at the job's parallelism. */
  public DataStream<Row> toStream(Table query) {
    Table values = travellingColumns(query);
    // Whether the query only inserts, Flink tells in the text of an explained plan, or by refusing,
    // before it adds anything to the job, to write updates to a stream of insertions. The refusal
    // needs no parser. Any other error comes up again below.
    try {
      DataStream<Row> insertions =
          tables.toChangelogStream(values, plainSchema(values), ChangelogMode.insertOnly());
      changelogModes.put(query, ChangelogMode.insertOnly());
      return insertions;
    } catch (TableException updating) {
      DataStream<Row> changes =
          tables.toChangelogStream(values, plainSchema(values), ChangelogMode.all());
      changelogModes.put(query, ChangelogMode.all());
      return changes;
    }
  }

  /**
   * The rows of a query in the form that Flink itself has them in, which spares turning each into
   * objects and back.
   *
   * @return empty if rows of the query can be updated: those travel in the form of {@link
   *     #toStream} only
   */
  Optional<DataStream<RowData>> toInsertions(Table query) {
    try {
      DataStream<RowData> insertions =
          tables.toDataStream(
              travellingColumns(query), rowType(query).notNull().bridgedTo(RowData.class));
      changelogModes.put(query, ChangelogMode.insertOnly());
      return Optional.of(insertions);
    } catch (TableException updating) {
      // As in toStream.
      return Optional.empty();
    }
  }

  /**
   * The rows of the query, in a plan whose every step, from the sources to the stream returned,
   * runs at the given parallelism. What is added to the stream runs at the job's parallelism again.
   */
  public DataStream<Row> toStream(Table query, int parallelism) {
    if (parallelism < 1) {
      throw new IllegalArgumentException(
          "The parallelism of a stream must be at least 1, not " + parallelism + ".");
    }
    TableConfig configuration = tables.getConfig();
    int jobParallelism = environment.getParallelism();
    int plannedParallelism = configuration.get(TABLE_EXEC_RESOURCE_DEFAULT_PARALLELISM);
    configuration.set(TABLE_EXEC_RESOURCE_DEFAULT_PARALLELISM, parallelism);
    try {
      return toStream(query);
    } finally {
      configuration.set(TABLE_EXEC_RESOURCE_DEFAULT_PARALLELISM, plannedParallelism);
      // Planning has set the environment to the planned parallelism, and leaves it so.
      environment.setParallelism(jobParallelism);
    }
  }

  /**
   * A table of the rows of a stream that has the columns of the query.
   *
   * @param stream what {@link #toStream} made of the query, with or without operators behind it
   * @param primaryKey columns of the query, all NOT NULL, that identify a row; none if not known
   */
  public Table toTable(DataStream<Row> stream, Table query, String... primaryKey) {
    return toTable(stream, schema(query, primaryKey), changelogMode(query));
  }

  /**
   * A table of the rows of a stream that has the columns of the query.
   *
   * @param stream what {@link #toInsertions} made of the query, with or without operators behind it
   */
  Table toTableOfInsertions(DataStream<RowData> stream, Table query) {
    return tables.fromDataStream(stream, schema(query));
  }

  private static Schema schema(Table query, String... primaryKey) {
    Schema.Builder schema = Schema.newBuilder();
    for (Column column : query.getResolvedSchema().getColumns()) {
      if (isProctime(column)) {
        schema.columnByExpression(column.getName(), "PROCTIME()");
      } else {
        schema.column(column.getName(), plainType(column));
      }
    }
    declareRowtime(schema, query);
    if (primaryKey.length > 0) {
      schema.primaryKey(primaryKey);
    }
    return schema.build();
  }

  private static void declareRowtime(Schema.Builder schema, Table query) {
    rowtime(query).ifPresent(name -> schema.watermark(name, "SOURCE_WATERMARK()"));
  }

  /**
   * A table of the rows of a stream that holds each row of the query in a field of its own.
   *
   * @param row name of that field, {@link #unlikeColumns}
   * @param form in which the field holds it: {@link Row}, or {@link RowData}
   * @param further the stream's other fields, which become columns behind those of the query
   */
  Table toTable(
      DataStream<Row> stream,
      Table query,
      String row,
      Class<?> form,
      List<DataTypes.Field> further) {
    Schema.Builder schema =
        Schema.newBuilder().column(row, rowType(query).notNull().bridgedTo(form));
    further.forEach(field -> schema.column(field.getName(), field.getDataType()));
    for (Column column : query.getResolvedSchema().getColumns()) {
      schema.columnByExpression(
          column.getName(),
          isProctime(column) ? callSql("PROCTIME()") : $(row).get(column.getName()));
    }
    declareRowtime(schema, query);
    return toTable(stream, schema.build(), changelogMode(query))
        .select(columns(query, further).map(Expressions::$).toArray(Expression[]::new));
  }

  /** A name that neither a column of the query nor a further one has. */
  static String unlikeColumns(String name, Table query, List<DataTypes.Field> further) {
    return columns(query, further).anyMatch(name::equals)
        ? unlikeColumns(name + "_", query, further)
        : name;
  }

  private static Stream<String> columns(Table query, List<DataTypes.Field> further) {
    return Stream.concat(
        query.getResolvedSchema().getColumnNames().stream(),
        further.stream().map(DataTypes.Field::getName));
  }

  /**
   * A table of the rows of a stream that is no query's.
   *
   * @param schema every column with its type, since the stream's own type knows less
   * @param changelogMode the kinds of rows that may come
   */
  Table toTable(DataStream<Row> stream, Schema schema, ChangelogMode changelogMode) {
    return tables.fromChangelogStream(stream, schema, changelogMode);
  }

  /** Whether the rows of a query, which has been through {@link #toStream}, are only inserted. */
  boolean isInsertOnly(Table query) {
    return changelogMode(query).equals(ChangelogMode.insertOnly());
  }

  private ChangelogMode changelogMode(Table query) {
    ChangelogMode changelogMode = changelogModes.get(query);
    if (changelogMode == null) {
      throw new IllegalArgumentException(
          "The stream of a query must come from toStream before anything is made of it.");
    }
    return changelogMode;
  }

  /** The session's time zone, as Flink's planner finds it out. */
  ZoneId localTimeZone() {
    // TableConfig.getLocalTimeZone does not look at the configuration that the job starts with.
    String zone = configured(TableConfigOptions.LOCAL_TIME_ZONE);
    return TableConfigOptions.LOCAL_TIME_ZONE.defaultValue().equals(zone)
        ? ZoneId.systemDefault()
        : ZoneId.of(zone);
  }

  /** What the job's configuration says. */
  <T> T configured(ConfigOption<T> option) {
    return tables.getConfig().get(option);
  }

  /** The columns that {@link #toStream} leaves out, in order. */
  static List<String> proctimeColumns(Table query) {
    return query.getResolvedSchema().getColumns().stream()
        .filter(TableStreams::isProctime)
        .map(Column::getName)
        .toList();
  }

  /** The type of the rows that {@link #toStream} makes of a query. */
  static DataType rowType(Table query) {
    return DataTypes.ROW(
        query.getResolvedSchema().getColumns().stream()
            .filter(column -> !isProctime(column))
            .map(column -> DataTypes.FIELD(column.getName(), plainType(column)))
            .toArray(DataTypes.Field[]::new));
  }

  /** The query without its proctime columns, and with its first rowtime column only. */
  private static Table travellingColumns(Table query) {
    List<Column> furtherRowtimes = rowtimes(query).stream().skip(1).toList();
    return query.select(
        query.getResolvedSchema().getColumns().stream()
            .filter(column -> !isProctime(column))
            .map(
                column ->
                    furtherRowtimes.contains(column)
                        ? $(column.getName()).cast(plainType(column)).as(column.getName())
                        : $(column.getName()))
            .toArray(Expression[]::new));
  }

  private static Schema plainSchema(Table table) {
    Schema.Builder schema = Schema.newBuilder();
    for (Column column : table.getResolvedSchema().getColumns()) {
      schema.column(column.getName(), plainType(column));
    }
    return schema.build();
  }

  /** The name of the column whose times the record timestamps are; empty if there is none. */
  static Optional<String> rowtime(Table query) {
    return rowtimes(query).stream().findFirst().map(Column::getName);
  }

  private static List<Column> rowtimes(Table query) {
    return query.getResolvedSchema().getColumns().stream()
        .filter(column -> isMarked(column, "*ROWTIME*"))
        .toList();
  }

  private static boolean isProctime(Column column) {
    return isMarked(column, "*PROCTIME*");
  }

  // Only the printed type, or one of Flink's internal classes, tells that it is a time attribute.
  private static boolean isMarked(Column column, String mark) {
    return column.getDataType().getLogicalType().toString().endsWith(mark);
  }

  /** The type of a column; for a rowtime column, that of a timestamp which is no time attribute. */
  private static DataType plainType(Column column) {
    LogicalType type = column.getDataType().getLogicalType();
    DataType plain;
    if (type instanceof TimestampType timestamp) {
      plain = DataTypes.TIMESTAMP(timestamp.getPrecision());
    } else if (type instanceof LocalZonedTimestampType timestamp) {
      plain = DataTypes.TIMESTAMP_LTZ(timestamp.getPrecision());
    } else {
      return column.getDataType();
    }
    return type.isNullable() ? plain : plain.notNull();
  }
}
